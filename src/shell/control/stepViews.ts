/** Opcode steps of a transaction, each with its source line. */
import type { StepPage } from '../../dashboard/core/traceShapes.ts'
import { bytesOfHex } from '../../codec/hex.ts'
import type { StructLog } from '../../rpc/eth/structLog.ts'
import { placesOf, type SourceLine, type SoliditySources } from './sourceMaps.ts'
import { traced } from './traced.ts'
import { findTx } from './transactions.ts'
import type { Instance } from '../ports.ts'

type Trace = { readonly failed: boolean; readonly structLogs: readonly StructLog[] }

/** Traces are cut off after this many bytes, counted as geth counts them. */
const stepBytesMost = 64 * 1024 * 1024

/**
 * Caches the last trace of each chain, because the pages of one transaction are read in succession.
 */
const latest = new WeakMap<
  Instance,
  { readonly hash: string; readonly block: object | undefined; readonly trace: Trace }
>()

function traceOf(instance: Instance, hash: string): Trace {
  const block = findTx(instance, hash)?.record
  const before = latest.get(instance)
  if (before?.hash === hash && before.block === block) return before.trace
  const config = { disableStorage: true, enableMemory: false, limit: stepBytesMost }
  const trace = traced(instance, hash, config) as Trace
  latest.set(instance, { hash, block, trace })
  return trace
}

export type StepQuery = { readonly from: number; readonly limit: number }

/**
 * Returns a page of the opcode steps of a transaction with their stacks and source lines. `total`
 * is the number of steps, `failure` the step at which a failed transaction failed. Throws
 * `NoTrace`.
 */
export function stepsView(
  instance: Instance,
  hash: string,
  { from, limit }: StepQuery,
  sources: SoliditySources,
): StepPage {
  const trace = traceOf(instance, hash)
  const { structLogs } = trace
  const places = sourced(instance, hash, structLogs, sources)
  return {
    rows: structLogs.slice(from, from + limit).map((step, at) => ({
      ...step,
      index: from + at,
      source: places(from + at) ?? null,
    })),
    total: structLogs.length,
    next: structLogs.length > from + limit ? from + limit : null,
    failure: failureOf(trace) ?? null,
  }
}

/** Returns the source line at which a transaction failed, or undefined. Throws `NoTrace`. */
export function failureSource(instance: Instance, hash: string, sources: SoliditySources): SourceLine | undefined {
  if (sources.codes.length === 0) return undefined
  const trace = traceOf(instance, hash)
  const failure = failureOf(trace)
  return failure === undefined ? undefined : sourced(instance, hash, trace.structLogs, sources)(failure)
}

const isFailed = ({ op, error }: StructLog) => error !== undefined || op === 'REVERT' || op === 'INVALID'

/**
 * Returns the step at which the failure began. This is the last step, unless it only propagates the
 * failure of the call before it; then it is the step that ended that call.
 */
export function failureOf({ failed, structLogs }: Trace): number | undefined {
  if (!failed || structLogs.length === 0) return undefined
  let failure = structLogs.length - 1
  for (;;) {
    const { depth = 1 } = structLogs[failure] ?? {}
    let at = failure - 1
    while (at >= 0 && structLogs[at]?.depth === depth) at--
    const call = structLogs[at]
    if (call === undefined || call.depth !== depth + 1 || !isFailed(call)) return failure
    failure = at
  }
}

/**
 * The call instructions. `addressPlace` is the callee's position on the stack: second from the top.
 */
const calls: ReadonlySet<string> = new Set(['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL'])
const addressPlace = 2

/** Returns the contract whose code each step runs; undefined in code that creates a contract. */
function codeAddresses(logs: readonly StructLog[], to: string | undefined): readonly (string | undefined)[] {
  const frames: (string | undefined)[] = [to]
  return logs.map((log, at) => {
    const before = logs[at - 1]
    if (before !== undefined && log.depth > before.depth) {
      const word = calls.has(before.op) ? before.stack?.at(-addressPlace) : undefined
      frames.push(word === undefined ? undefined : `0x${word.replace(/^0x/, '').padStart(40, '0').slice(-40)}`)
    }
    frames.length = log.depth
    return frames[log.depth - 1]
  })
}

function sourced(instance: Instance, hash: string, logs: readonly StructLog[], sources: SoliditySources) {
  if (sources.codes.length === 0) return () => undefined
  const { world, simulation } = instance
  const found = findTx(instance, hash)
  const raw = found?.record.block.txs[found.tx.index] ?? new Uint8Array(0)
  const to = world.ethereum?.unwrap(raw)[0]?.tx.to
  const addresses = codeAddresses(logs, to === undefined ? undefined : `0x${Buffer.from(to).toString('hex')}`)
  const known = new Map<string, ReturnType<typeof placesOf>>()
  const placesAt = (address: string) => {
    if (!known.has(address)) {
      const code = world.ethereum?.code(simulation().node.chain.app, bytesOfHex(address)) ?? new Uint8Array(0)
      known.set(address, placesOf(sources, code))
    }
    return known.get(address)
  }
  return (index: number): SourceLine | undefined => {
    const address = addresses[index]
    return address === undefined ? undefined : placesAt(address)?.(logs[index]?.pc ?? -1)
  }
}
