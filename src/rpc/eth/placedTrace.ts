/** What a trace says beyond what its tracer saw: its place in the chain, and what was charged. */
import type { Plain, PlainObject } from '../../codec/goJsonWrite.ts'
import { quantityOf } from '../../codec/hex.ts'

/**
 * `charge` gives the gas to show for the gas used by a success, under the node's quirk
 * `trace-charged-gas`; a failure shows none (corrections-b 27). A message has no `transactionHash`.
 */
export type Place = {
  readonly blockHash: string | null
  readonly height: bigint
  readonly transactionHash: string | null
  readonly position: number
  readonly charge: ((used: bigint) => bigint) | undefined
}

/** Returns the trace with its place (flat traces) and with the charged gas at its top. */
export function placedTrace(trace: Plain, tracer: string, place: Place): Plain {
  if (tracer === 'flatCallTracer') return placedList(trace, place)
  if (!isObject(trace)) return trace
  if (tracer === 'muxTracer') {
    return Object.fromEntries(
      Object.entries(trace).map(([name, each]) => [
        name,
        each === undefined ? undefined : placedTrace(each, name, place),
      ]),
    )
  }
  const { charge } = place
  if (charge === undefined) return trace
  if (tracer === '') {
    const gas = trace['failed'] === true ? 0n : charge(BigInt(Number(trace['gas'])))
    return { ...trace, gas: Number(gas) }
  }
  return tracer === 'callTracer' || tracer === 'erc7562Tracer' ? charged(trace, charge) : trace
}

function placedList(trace: Plain, place: Place): Plain {
  if (!Array.isArray(trace)) return trace
  return trace.map((one: Plain, at) => (isObject(one) ? placed(one, at === 0, place) : one))
}

function placed(one: PlainObject, isTop: boolean, place: Place): PlainObject {
  const { result } = one
  const { charge } = place
  return {
    ...one,
    blockHash: place.blockHash,
    // The node does not tell its tracer the height.
    blockNumber: charge === undefined ? Number(place.height) : 0,
    transactionHash: place.transactionHash,
    transactionPosition: place.position,
    ...(isTop && charge !== undefined && isObject(result)
      ? { result: { ...result, gasUsed: chargedGas(result, one['error'], charge) } }
      : {}),
  }
}

function charged(shown: PlainObject, charge: (used: bigint) => bigint): PlainObject {
  return { ...shown, gasUsed: chargedGas(shown, shown['error'], charge) }
}

function chargedGas(shown: PlainObject, error: Plain | undefined, charge: (used: bigint) => bigint): string {
  return quantityOf(error === undefined ? charge(BigInt(String(shown['gasUsed']))) : 0n)
}

function isObject(value: Plain | undefined): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
