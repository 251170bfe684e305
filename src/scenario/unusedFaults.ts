/** Finds the faults of a scenario that hit no call, and the nearest call for each. */
import { counted } from '../data/counted.ts'
import { fits, matchesCall } from '../fault/match.ts'
import { noClient, type FaultCall, type FaultCount, type FaultMatch, type FaultRule } from '../fault/rule.ts'
import { nearest } from '../data/nearest.ts'
import type { CallRecord } from '../rpc/callRecord.ts'
import { callText, nearer, nearText, type Near } from './nearMiss.ts'

export type UnusedFault = {
  readonly name: string
  /** The nearest call, as the end of a sentence; empty if there is none. */
  readonly near: string
}

/** Returns the rules that were never applied. `calls` are the latest calls of clients. */
export function unusedFaults(
  rules: readonly FaultRule[],
  counts: ReadonlyMap<string, FaultCount>,
  calls: readonly CallRecord[],
): readonly UnusedFault[] {
  return rules.flatMap((rule) => {
    const { matched, applied } = counts.get(rule.name) ?? { matched: 0, applied: 0 }
    if (applied > 0) return []
    const near = matched > 0 ? unselected(matched) : nearText(nearestCall(rule.match, calls))
    return [{ name: rule.name, near }]
  })
}

/** Returns the sentence for reports. */
export function unusedText({ name, near }: UnusedFault): string {
  return `the fault "${name}" hit no call${near}`
}

function unselected(matched: number): string {
  return `; near miss: ${counted(matched, 'call')} matched, but "select" selected none`
}

function nearestCall(match: FaultMatch, calls: readonly CallRecord[]): Near | undefined {
  let near: Near | undefined
  for (const record of calls) {
    const others = looser(match, record)
    const rank = others.findIndex(([other]) => matchesCall(other, faultCallOf(record)))
    const [, was] = others[rank] ?? []
    if (was !== undefined) near = nearer(near, { rank, text: `${callText(record)} ${was}` })
  }
  return near
}

/** Conditions that the journal cannot check; they count as met. */
const notKept = ['origin', 'userAgent', 'subscriptions', 'batch'] as const

/**
 * Returns variants of a match with one condition removed, nearest first, each with a text about
 * that condition.
 */
function looser(whole: FaultMatch, record: CallRecord): readonly (readonly [match: FaultMatch, was: string])[] {
  const gone = notKept.filter((name) => whole[name] !== undefined)
  const match = without(whole, ...gone)
  const meant = nearest(record.method, whole.methods ?? [])
  const but = (name: keyof FaultMatch, was: string) =>
    match[name] === undefined ? [] : [[without(match, name), was] as const]
  return [
    [match, gone.length > 0 ? `has a different "${gone.join('" or "')}"` : 'came while the fault was off'],
    ...but('params', 'has different parameters'),
    ...but('session', `belongs to the session "${record.session}"`),
    ...but('transport', `came over ${transportOf(record)}`),
    ...but('sides', `came on ${record.side}`),
    ...((whole.except ?? []).some((pattern) => fits(pattern, record.method))
      ? but('except', 'is excluded by "except"')
      : []),
    ...(meant === undefined ? [] : but('methods', `is not ${meant}`)),
  ]
}

/** Returns the match without some members; absent members match everything. */
function without(match: FaultMatch, ...names: readonly (keyof FaultMatch)[]): FaultMatch {
  return Object.fromEntries(Object.entries(match).filter(([key]) => !names.some((name) => name === key)))
}

function transportOf({ transport }: CallRecord): 'http' | 'ws' {
  return transport === 'ws' ? 'ws' : 'http'
}

function faultCallOf(record: CallRecord): FaultCall {
  const { side, session, timeMs, method, params, seq } = record
  return {
    ...{ side, session, timeMs, method, transport: transportOf(record), params: params === '' ? '[]' : params },
    ...{ connection: undefined, client: noClient, height: 0n, subscription: undefined, isBatch: false, request: seq },
  }
}
