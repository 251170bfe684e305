/** Judges a call by the rules that are on (`mocks.md` §3.3). Draws are keyed by rule and count. */
import type { Random } from '../data/random.ts'
import type {
  ActiveFault, FaultCall, FaultCount, FaultDecision, FaultEffect, FaultMatch, FaultRule, FaultSelect, FaultState,
} from './rule.ts'

/** No rule is on. */
export const noFaults: FaultState = { active: [], counts: new Map() }

const noCount: FaultCount = { matched: 0, applied: 0, tokens: 0, refilledAtMs: 0n }

/** Returns what happens to a call, and the rules' counts after it. Latencies add up; the first other effect wins. */
export function decide(
  state: FaultState, call: FaultCall, random: Random,
): { readonly decision: FaultDecision; readonly state: FaultState } {
  let decision: FaultDecision = { applied: [], delayMs: 0n, at: 'before', terminal: undefined, cors: 'keep' }
  const counts = new Map(state.counts)
  for (const { rule } of state.active.filter((one) => isOn(one, call))) {
    if (!matches(rule.match, call)) continue
    const { selected, count } = select(rule, counts.get(rule.name) ?? noCount, { call, random })
    counts.set(rule.name, { ...count, matched: count.matched + 1, applied: count.applied + (selected ? 1 : 0) })
    if (selected) decision = joined(decision, rule, { random, count: count.applied })
  }
  return { decision, state: { ...state, counts } }
}

function isOn({ untilMs, untilHeight }: ActiveFault, { timeMs, height }: FaultCall): boolean {
  return (untilMs === undefined || timeMs < untilMs) && (untilHeight === undefined || height < untilHeight)
}

function matches(match: FaultMatch, call: FaultCall): boolean {
  const { sides, transport, methods, except, session } = match
  return (sides === undefined || sides.includes(call.side)) &&
    (transport === undefined || transport === call.transport) &&
    (session === undefined || session === call.session) &&
    (methods === undefined || methods.some((pattern) => fits(pattern, call.method))) &&
    !(except ?? []).some((pattern) => fits(pattern, call.method))
}

/** `*` stands for any text. */
function fits(pattern: string, method: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return pattern === method
  if (!method.startsWith(first)) return false
  const last = rest.pop() ?? ''
  let at = first.length
  for (const piece of rest) {
    const found = method.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return method.length - at >= last.length && method.endsWith(last)
}

type Selection = { readonly selected: boolean; readonly count: FaultCount }

function select(rule: FaultRule, count: FaultCount, { call, random }: { call: FaultCall; random: Random }): Selection {
  switch (rule.select.type) {
    case 'all': return { selected: true, count }
    case 'window': {
      const { skip, count: most } = rule.select
      const { matched } = count
      return { selected: matched >= skip && (most === undefined || matched < skip + most), count }
    }
    case 'probability': {
      const { numerator, denominator } = rule.select
      return { selected: random.below(`fault:${rule.name}`, count.matched, denominator) < numerator, count }
    }
    case 'rate': return overRate(rule.select, count, call)
  }
}

/**
 * A token bucket: a call that finds no token is the one that is selected. `tokens` counts parts of one,
 * `perMs` to a token, so that nothing is lost however often it is asked.
 */
function overRate(
  { limit, perMs, burst }: Extract<FaultSelect, { type: 'rate' }>, count: FaultCount, { timeMs }: FaultCall,
): Selection {
  const cost = Number(perMs)
  const full = burst * cost
  const earned = Number(timeMs - count.refilledAtMs) * limit
  const tokens = count.matched === 0 ? full : Math.min(full, count.tokens + earned)
  const selected = tokens < cost
  return { selected, count: { ...count, tokens: selected ? tokens : tokens - cost, refilledAtMs: timeMs } }
}

function joined(decision: FaultDecision, rule: FaultRule, { random, count }: { random: Random; count: number }): FaultDecision {
  const delayMs = rule.effects.reduce((sum, effect) => sum + latencyOf(effect, rule.name, { random, count }), 0n)
  const terminal = rule.effects.find(({ type }) => type !== 'latency' && type !== 'latencyTable')
  const isFirst = decision.terminal === undefined && terminal !== undefined
  return {
    applied: [...decision.applied, rule.name],
    delayMs: decision.delayMs + delayMs,
    terminal: isFirst ? terminal : decision.terminal,
    at: isFirst ? rule.at : decision.at,
    cors: isFirst ? rule.cors : decision.cors,
  }
}

function latencyOf(effect: FaultEffect, name: string, { random, count }: { random: Random; count: number }): bigint {
  if (effect.type === 'latencyTable') {
    return effect.ms[random.below(`latency:${name}`, count, effect.ms.length)] ?? 0n
  }
  if (effect.type !== 'latency') return 0n
  const span = effect.maxMs - effect.minMs + 1n
  return effect.minMs + (span <= 1n ? 0n : random.below(`latency:${name}`, count, span))
}
