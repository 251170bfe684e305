/**
 * Decides what the active rules do to a call (`mocks.md` §3.3). Draws are keyed by rule and count.
 */
import type { Random } from '../data/random.ts'
import { noEntries } from '../data/recentEntries.ts'
import { changesReply, isSocketEffect, isViewEffect, type CallEffect, type FaultEffect } from './effect.ts'
import { closesListeners, isOn, matchesCall, namesCalls } from './match.ts'
import { afterAttempt, attemptKey, callKey, openCall } from './openCalls.ts'
import type { FaultCall, FaultDecision, FaultRule, FaultState } from './rule.ts'
import { noCount, select } from './select.ts'

/** The state with no active rule. */
export const noFaults: FaultState = {
  active: [],
  counts: new Map(),
  open: noEntries,
  masked: [],
  maskedCount: 0,
  refusals: [],
}

/** The decision for a call that no rule matches. */
export const noFault: FaultDecision = {
  applied: [],
  delayMs: 0n,
  at: 'before',
  terminal: undefined,
  cors: 'keep',
  views: [],
  retryAfterMs: 0n,
  attempt: 1,
}

/**
 * Returns the decision for a call, and the state with the updated counts. Latencies add up; of the
 * other effects the first wins.
 */
export function decide(
  state: FaultState,
  call: FaultCall,
  random: Random,
): { readonly decision: FaultDecision; readonly state: FaultState } {
  const key = callKey(call)
  const attempt = attemptKey(call, key)
  const open = openCall(state, attempt, call)
  const counts = new Map(state.counts)
  let decision: FaultDecision = { ...noFault, attempt: (open?.attempts ?? 0) + 1 }
  const seen: string[] = []
  const selected: string[] = []
  const faults: string[] = []
  const over: string[] = []
  for (const { rule, once } of state.active.filter((one) => isOn(one, call))) {
    if (!isAboutCalls(rule, call) || !matchesCall(rule.match, call)) continue
    const before = counts.get(rule.name) ?? noCount
    const choice = select(rule, before, { subject: call, random, key, open })
    counts.set(rule.name, choice.count)
    seen.push(rule.name)
    if (!choice.selected) continue
    selected.push(rule.name)
    decision = joined(decision, rule, { random, count: before.applied, waitMs: choice.retryAfterMs })
    if (rule.effects.some(changesReply)) faults.push(rule.name)
    if (once === true) over.push(rule.name)
  }
  const active = over.length === 0 ? state.active : state.active.filter(({ rule }) => !over.includes(rule.name))
  const after = afterAttempt(
    { ...state, active, counts },
    {
      call,
      key: attempt,
      open,
      decision,
      seen,
      selected,
      faults,
    },
  )
  return { decision, state: after }
}

/**
 * Returns whether a rule can apply to a call. A WebSocket close applies only if the rule names
 * methods, a `refuse` only if it breaks connections.
 */
function isAboutCalls(rule: FaultRule, call: FaultCall): boolean {
  const { effects, match } = rule
  const { method, transport } = call
  if (method === 'OPTIONS' && match.methods?.includes('OPTIONS') !== true) return false
  return effects.some(
    (effect) =>
      !isSocketEffect(effect) ||
      (effect.type === 'wsClose' && match.methods !== undefined && transport === 'ws') ||
      (effect.type === 'refuse' && breaksConnection(rule, call)),
  )
}

/** Returns whether a `refuse` breaks the connection of a call, because it cannot close the listener. */
function breaksConnection(rule: FaultRule, { transport, session }: FaultCall): boolean {
  return session !== '' || namesCalls(rule.match) || (transport === 'http' && !closesListeners(rule))
}

/**
 * Returns whether an active rule names `OPTIONS`; only such rules apply to CORS preflight requests.
 */
export function judgesPreflights({ active }: Pick<FaultState, 'active'>): boolean {
  return active.some(({ rule }) => rule.match.methods?.includes('OPTIONS') === true)
}

type Drawing = { readonly random: Random; readonly count: number; readonly waitMs: bigint }

function joined(decision: FaultDecision, rule: FaultRule, drawing: Drawing): FaultDecision {
  const delayMs = rule.effects.reduce((sum, effect) => sum + latencyOf(effect, rule.name, drawing), 0n)
  const terminal = rule.effects.find(changesReply)
  const isFirst = decision.terminal === undefined && terminal !== undefined
  const views = rule.effects
    .filter(isViewEffect)
    // `flip` imitates two nodes behind one address: every other response is stale.
    .filter((effect) => effect.type !== 'stale' || !effect.flip || drawing.count % 2 === 0)
  return {
    ...decision,
    applied: [...decision.applied, rule.name],
    delayMs: decision.delayMs + delayMs,
    views: [...decision.views, ...views],
    ...(isFirst
      ? {
          terminal,
          at: rule.at,
          cors: rule.cors,
          retryAfterMs: drawing.waitMs,
        }
      : {}),
  }
}

function latencyOf(effect: FaultEffect, name: string, { random, count }: Pick<Drawing, 'random' | 'count'>): bigint {
  if (effect.type === 'latencyTable') {
    return effect.ms[random.below(`latency:${name}`, count, effect.ms.length)] ?? 0n
  }
  return effect.type === 'latency' ? drawnMs(effect, `latency:${name}`, { random, count }) : 0n
}

type Range = Pick<Extract<CallEffect, { type: 'latency' }>, 'minMs' | 'maxMs'>

/** Returns a uniform draw from a range of milliseconds, both ends included. */
export function drawnMs(
  { minMs, maxMs }: Range,
  label: string,
  { random, count }: Pick<Drawing, 'random' | 'count'>,
): bigint {
  const span = maxMs - minMs + 1n
  return minMs + (span <= 1n ? 0n : random.below(label, count, span))
}
