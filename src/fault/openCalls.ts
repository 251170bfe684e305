/**
 * One call and its retries (`mocks.md` §3.3): the same request of the same client in the same
 * session, each attempt starting not long after a faulted one. Clients retry by themselves, so that
 * a fault may go unseen.
 */
import { canonicalJson } from '../data/canonicalJson.ts'
import { sideTitles } from '../settings/side.ts'
import type { FaultCall, FaultDecision, FaultState, Masked, OpenCall } from './rule.ts'

/** A retry comes within this time of the faulted answer. */
const retryMs = 10_000n
/** Who was never answered waits until its own patience ends. */
const silentMs = 60_000n
/** So many of each are remembered. */
const openMost = 1_000
const maskedMost = 100

/** Returns what a call asks and in which session; draws are keyed by it. */
export function callKey({ session, side, method, params }: FaultCall): string {
  return `${session}\n${side}\n${method}\n${canonicalJson(JSON.parse(params))}`
}

/**
 * Returns what makes two attempts the same call: what is asked, and by which client. Clients are
 * told apart by address, origin and user agent, which a retry on a new connection keeps.
 */
export function attemptKey(call: FaultCall, key: string): string {
  const { ip, origin = '', userAgent } = call.client
  return `${JSON.stringify([ip, origin, userAgent])}\n${key}`
}

/** Returns the faulted call of which this one is a retry, or undefined. */
export function openCall(state: FaultState, key: string, { timeMs, request }: FaultCall): OpenCall | undefined {
  const open = state.open.get(key)
  return open !== undefined && timeMs <= open.untilMs && request !== open.request ? open : undefined
}

export type Tried = {
  readonly call: FaultCall
  readonly key: string
  readonly open: OpenCall | undefined
  readonly decision: FaultDecision
  /** Rules that judged the call, those that chose it, and those that took its answer. */
  readonly seen: readonly string[]
  readonly selected: readonly string[]
  readonly faults: readonly string[]
}

/** Returns the state after an attempt: it failed and may be retried, or its retry hid a fault. */
export function afterAttempt(state: FaultState, tried: Tried): FaultState {
  const { key, open, decision } = tried
  if (decision.terminal !== undefined) return { ...state, open: withOpen(state, tried) }
  const kept = state.active.length === 0 ? stillOpen(state.open, tried.call.timeMs) : state.open
  if (open === undefined) return { ...state, open: kept }
  const calls = new Map(kept)
  calls.delete(key)
  return withMasked({ ...state, open: calls }, maskedOf(tried, open))
}

/** When no rule is on, what nobody retried is forgotten. */
function stillOpen(open: FaultState['open'], timeMs: bigint): FaultState['open'] {
  return new Map([...open].filter(([, { untilMs }]) => timeMs <= untilMs))
}

function withOpen({ open: calls }: FaultState, tried: Tried): FaultState['open'] {
  const { call, key, open, decision } = tried
  const type = decision.terminal?.type
  const isSilent = type === 'hang' || type === 'timeout'
  const next = new Map(calls)
  next.delete(key)
  next.set(key, {
    attempts: (open?.attempts ?? 0) + 1,
    request: call.request,
    untilMs: call.timeMs + decision.delayMs + (isSilent ? silentMs : retryMs),
    selected: union(open?.selected, tried.selected),
    seen: union(open?.seen, tried.seen),
    faults: union(open?.faults, tried.faults),
  })
  const [oldest] = next.keys()
  if (next.size > openMost && oldest !== undefined) next.delete(oldest)
  return next
}

function maskedOf({ call }: Tried, { faults, attempts }: OpenCall): Masked {
  const { side, method, timeMs } = call
  return { faults, side, method, timeMs, attempts: attempts + 1 }
}

function withMasked(state: FaultState, one: Masked): FaultState {
  const counts = new Map(state.counts)
  for (const name of one.faults) {
    const count = counts.get(name)
    if (count !== undefined) counts.set(name, { ...count, masked: count.masked + 1 })
  }
  const masked = [...state.masked, one].slice(-maskedMost)
  return { ...state, counts, masked, maskedCount: state.maskedCount + 1 }
}

function union(a: readonly string[] = [], b: readonly string[]): readonly string[] {
  return [...new Set([...a, ...b])]
}

/** Returns a sentence about a fault that nobody noticed. */
export function maskedText({ faults, side, method, attempts }: Masked): string {
  const names = faults.map((name) => `"${name}"`).join(' and ')
  return `the fault ${names} was masked: ${method} on ${sideTitles[side]} succeeded at attempt ${attempts}`
}
