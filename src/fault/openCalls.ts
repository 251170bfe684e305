/**
 * A call and its retries (`mocks.md` §3.3): the same request of the same client in the same
 * session, sent soon after a faulted attempt. Many clients retry by themselves, which hides (masks)
 * the fault.
 */
import { canonicalJson } from '../data/canonicalJson.ts'
import { detached } from '../data/detached.ts'
import { recentEntries, recentValue, withoutEntry, withRecent } from '../data/recentEntries.ts'
import { sideTitles } from '../settings/side.ts'
import { replyFaultOf } from './effect.ts'
import type { FaultCall, FaultDecision, FaultState, Masked, OpenCall } from './rule.ts'
import { shortKey } from './shortKey.ts'

/** A retry starts within this time after the faulted response, in milliseconds. */
const retryMs = 10_000n
/** The same for a call without a response, because clients wait for their own timeout first. */
const silentMs = 60_000n
/** Maximum numbers of open calls and of masked faults that are kept. */
const openMost = 1_000
const maskedMost = 100

/** Returns a call's session, interface, method and parameters as a key for draws. */
export function callKey({ session, side, method, params }: FaultCall): string {
  return `${session}\n${side}\n${method}\n${canonicalJson(JSON.parse(params))}`
}

/**
 * Returns the key that all attempts of a call share: its request and its client, or the SHA-256
 * digest of both if they are long. Address, origin and user agent identify the client, because a
 * retry on a new connection keeps them.
 */
export function attemptKey(call: FaultCall, key: string): string {
  const { ip, origin = '', userAgent } = call.client
  return shortKey(`${JSON.stringify([ip, origin, userAgent])}\n${key}`)
}

/** Returns the faulted call that this call retries, or undefined. */
export function openCall(state: FaultState, key: string, { timeMs, request }: FaultCall): OpenCall | undefined {
  const open = recentValue(state.open, key)
  return open !== undefined && timeMs <= open.untilMs && request !== open.request ? open : undefined
}

export type Tried = {
  readonly call: FaultCall
  readonly key: string
  readonly open: OpenCall | undefined
  readonly decision: FaultDecision
  /**
   * The rules that matched the call, those that selected it, and those that replaced its response.
   */
  readonly seen: readonly string[]
  readonly selected: readonly string[]
  readonly faults: readonly string[]
}

/**
 * Returns the state after an attempt. A faulted attempt is remembered for its retry; a successful
 * retry records a masked fault.
 */
export function afterAttempt(state: FaultState, tried: Tried): FaultState {
  const { key, open, decision } = tried
  if (decision.terminal !== undefined) return { ...state, open: withOpen(state, tried) }
  const kept = state.active.length === 0 ? stillOpen(state.open, tried.call.timeMs) : state.open
  if (open === undefined) return { ...state, open: kept }
  return withMasked({ ...state, open: withoutEntry(kept, key) }, maskedOf(tried, open))
}

/** Removes expired calls; used while no rule is on. */
function stillOpen(open: FaultState['open'], timeMs: bigint): FaultState['open'] {
  const expired = [...recentEntries(open)].filter(([, { untilMs }]) => timeMs > untilMs)
  return expired.reduce((rest, [key]) => withoutEntry(rest, key), open)
}

function withOpen({ open: calls }: FaultState, tried: Tried): FaultState['open'] {
  const { call, key, open, decision } = tried
  const { isSilent } = replyFaultOf(decision.terminal)
  const next = {
    attempts: (open?.attempts ?? 0) + 1,
    request: call.request,
    untilMs: call.timeMs + decision.delayMs + (isSilent === true ? silentMs : retryMs),
    selected: union(open?.selected, tried.selected),
    seen: union(open?.seen, tried.seen),
    faults: union(open?.faults, tried.faults),
  }
  return withRecent(calls, [key, next], openMost)
}

function maskedOf({ call }: Tried, { faults, attempts }: OpenCall): Masked {
  const { side, method, timeMs } = call
  return { faults, side, method: detached(method), timeMs, attempts: attempts + 1 }
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

/** Returns a sentence about a masked fault. */
export function maskedText({ faults, side, method, attempts }: Masked): string {
  const names = faults.map((name) => `"${name}"`).join(' and ')
  return `the fault ${names} was masked: ${method} on ${sideTitles[side]} succeeded at attempt ${attempts}`
}
