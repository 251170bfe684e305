/**
 * Decides what the active rules do to events for subscribers, connections and handshakes
 * (`mocks.md` §3.3).
 */
import type { Random } from '../data/random.ts'
import { drawnMs } from './decide.ts'
import { isSocketEffect, type SocketEffect, type ViewEffect } from './effect.ts'
import { isOn, matchesSubject, matchesSubscription, namesCalls } from './match.ts'
import type { ActiveFault, FaultPush, FaultRule, FaultState, FaultSubject } from './rule.ts'
import { noCount, select } from './select.ts'

/** The verdict on one event for one connection. The first of `close`, `cancel` and `hold` wins. */
export type PushVerdict = {
  readonly isDropped: boolean
  readonly delayMs: bigint
  readonly copies: number
  readonly hold: { readonly rule: string; readonly how: Holding } | undefined
  readonly close: { readonly rule: FaultRule; readonly how: Closing } | undefined
  readonly cancel: string | undefined
}

export type Holding = Extract<SocketEffect, { type: 'wsReorder' | 'wsStall' }> | Extract<ViewEffect, { type: 'stale' }>
export type Closing = Extract<SocketEffect, { type: 'wsClose' }>

const sent: PushVerdict = {
  isDropped: false,
  delayMs: 0n,
  copies: 1,
  hold: undefined,
  close: undefined,
  cancel: undefined,
}

/** Returns whether any active rule can apply to events. */
export function judgesPushes({ active }: FaultState): boolean {
  return active.some(({ rule }) => isAboutPushes(rule))
}

/** A rule with methods is about calls, not events. */
function isAboutPushes(rule: FaultRule): boolean {
  const { effects, match } = rule
  return (
    match.methods === undefined &&
    match.transport !== 'http' &&
    (isLagging(rule) || effects.some((effect) => isSocketEffect(effect) && !isAboutListeners(effect)))
  )
}

/**
 * Returns whether a rule makes a node lag, so that its events come late. With `flip` it does not: a
 * connection stays with one of the two nodes.
 */
function isLagging({ effects, select: { type } }: FaultRule): boolean {
  return type === 'all' && effects.some((effect) => effect.type === 'stale' && !effect.flip)
}

function isAboutListeners({ type }: SocketEffect): boolean {
  return type === 'refuse' || type === 'wsRefuse'
}

/**
 * Returns the verdict on an event, and the state with the updated counts. Delays add up, copies
 * multiply.
 */
export function decidePush(
  state: FaultState,
  push: FaultPush,
  random: Random,
): { readonly verdict: PushVerdict; readonly state: FaultState } {
  const counts = new Map(state.counts)
  let verdict = sent
  let { active } = state
  for (const one of state.active) {
    const { rule } = one
    if (!isOn(one, push) || !isAboutPushes(rule) || !matchesPush(rule, push)) continue
    const before = counts.get(rule.name) ?? noCount
    const key = `${push.session}\n${push.subscription}`
    const { selected, count } = select(rule, before, { subject: push, random, key, open: undefined })
    // Lag of the whole node is not counted once per event.
    if (!isLagging(rule)) counts.set(rule.name, count)
    if (!selected) continue
    for (const effect of rule.effects) {
      verdict = joined(verdict, { rule, effect, random, count: before.applied, push })
    }
    if (one.once === true) active = active.filter((other) => other !== one)
  }
  return { verdict, state: { ...state, active, counts } }
}

function matchesPush({ match }: FaultRule, push: FaultPush): boolean {
  return matchesSubject(match, push) && matchesSubscription(match.subscriptions ?? ['*'], push.subscription)
}

type Hit = {
  readonly rule: FaultRule
  readonly effect: FaultRule['effects'][number]
  readonly random: Random
  readonly count: number
  readonly push: FaultPush
}

function joined(verdict: PushVerdict, { rule, effect, random, count, push }: Hit): PushVerdict {
  switch (effect.type) {
    case 'stale': {
      const { lag, flip } = effect
      if (flip || push.ofHeight === undefined) return verdict
      if (lag.unit === 'ms') return { ...verdict, delayMs: verdict.delayMs + lag.count }
      if (push.ofHeight + lag.count <= push.height) return verdict
      return { ...verdict, hold: verdict.hold ?? { rule: rule.name, how: effect } }
    }
    case 'wsDrop':
      return { ...verdict, isDropped: true }
    case 'wsDelay': {
      const ms = drawnMs(effect, `latency:${rule.name}`, { random, count })
      return { ...verdict, delayMs: verdict.delayMs + ms }
    }
    case 'wsDuplicate':
      return { ...verdict, copies: verdict.copies * effect.copies }
    case 'wsReorder':
    case 'wsStall':
      return { ...verdict, hold: verdict.hold ?? { rule: rule.name, how: effect } }
    case 'wsClose':
      return { ...verdict, close: verdict.close ?? { rule, how: effect } }
    case 'wsCancel':
      return { ...verdict, cancel: verdict.cancel ?? effect.reason }
    default:
      return verdict
  }
}

/**
 * Returns the state after a rule cut connections. With `refuseFor`, new handshakes are refused for
 * that time.
 */
export function withCuts(
  state: FaultState,
  { rule, how }: NonNullable<PushVerdict['close']>,
  { timeMs, height, cuts }: { timeMs: bigint; height: bigint; cuts: number },
): FaultState {
  const { refuseFor } = how
  const before = state.counts.get(rule.name) ?? noCount
  const counts = new Map([
    ...state.counts,
    [
      rule.name,
      {
        ...before,
        matched: before.matched + cuts,
        applied: before.applied + cuts,
      },
    ] as const,
  ])
  if (refuseFor === undefined) return { ...state, counts }
  const isTime = refuseFor.unit === 'ms'
  const refusal = {
    name: rule.name,
    match: rule.match,
    untilMs: isTime ? timeMs + refuseFor.count : undefined,
    untilHeight: isTime ? undefined : height + refuseFor.count,
  }
  const others = state.refusals.filter(({ name }) => name !== rule.name)
  return { ...state, counts, refusals: [...others, refusal] }
}

export type Refused = { readonly status: number; readonly by: string }

/**
 * Returns the status and the rule that refuse a handshake (undefined if it is accepted), and the
 * new state.
 */
export function decideHandshake(
  state: FaultState,
  subject: FaultSubject,
  random: Random,
): { readonly refused: Refused | undefined; readonly state: FaultState } {
  const refusals = state.refusals.filter((one) => isOn(one, subject))
  const shut = refusals.find(({ match }) => matchesSubject(match, subject))
  if (shut !== undefined) {
    return { refused: { status: 503, by: shut.name }, state: { ...state, refusals } }
  }
  const counts = new Map(state.counts)
  let refused: Refused | undefined
  let { active } = state
  for (const one of state.active) {
    const status = refusalOf(one)
    if (status === undefined || !isOn(one, subject)) continue
    if (!matchesSubject(one.rule.match, subject)) continue
    const before = counts.get(one.rule.name) ?? noCount
    const { selected, count } = select(one.rule, before, { subject, random, key: '', open: undefined })
    counts.set(one.rule.name, count)
    if (!selected) continue
    refused ??= { status, by: one.rule.name }
    if (one.once === true) active = active.filter((other) => other !== one)
  }
  return { refused, state: { ...state, active, refusals, counts } }
}

function refusalOf({ rule }: ActiveFault): number | undefined {
  for (const effect of rule.effects) {
    if (effect.type === 'wsRefuse') return effect.status
    if (effect.type === 'refuse' && !namesCalls(rule.match)) return 503
  }
  return undefined
}
