/** What a trace of an included transaction says beyond what its tracer saw. */
import type { BlockRecord, EthereumTx } from '../../chain/block.ts'
import type { Plain, PlainObject } from '../../codec/goJsonWrite.ts'
import { hexOf, quantityOf } from '../../codec/hex.ts'

type Place = { readonly record: BlockRecord; readonly tx: EthereumTx; readonly isCharged: boolean }

/**
 * Returns the trace with its place in the chain (flat traces) and, for the node's quirk
 * `trace-charged-gas`, the gas that was charged in place of the gas that was used: none when the
 * transaction failed (corrections-b 27).
 */
export function placedTrace(trace: Plain, tracer: string, place: Place): Plain {
  if (tracer === 'flatCallTracer') return Array.isArray(trace)
    ? trace.map((one: Plain, at) => flat(one, at, place))
    : trace
  if (!isObject(trace)) return trace
  if (tracer === 'muxTracer') {
    return Object.fromEntries(Object.entries(trace).map(([name, each]) =>
      [name, each === undefined ? undefined : placedTrace(each, name, place)]))
  }
  if (!place.isCharged) return trace
  const { failed, gasUsed } = place.tx.receipt
  const charged = failed ? 0n : gasUsed
  if (tracer === '') return { ...trace, gas: Number(charged) }
  return tracer === 'callTracer' ? { ...trace, gasUsed: quantityOf(charged) } : trace
}

function flat(one: Plain, at: number, { record, tx, isCharged }: Place): Plain {
  if (!isObject(one)) return one
  const { result } = one
  const { failed, gasUsed } = tx.receipt
  const isTop = isCharged && at === 0 && !failed && isObject(result)
  return {
    ...one,
    blockHash: hexOf(record.id.hash),
    // The node does not tell its tracer the height.
    blockNumber: isCharged ? 0 : Number(record.block.header.height),
    transactionHash: hexOf(tx.hash),
    transactionPosition: tx.index,
    ...(isTop ? { result: { ...result, gasUsed: quantityOf(gasUsed) } } : {}),
  }
}

function isObject(value: Plain | undefined): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
