/** Selects some of the calls that a rule matches. Draws are keyed by rule and count. */
import type { Random } from '../data/random.ts'
import { noEntries, recentValue, withRecent } from '../data/recentEntries.ts'
import type { FaultCount, FaultRule, FaultSelect, FaultSubject, OpenCall } from './rule.ts'
import { shortKey } from './shortKey.ts'

/** `key` identifies client and request; `open` is set if the call is a retry. */
export type Selecting = {
  readonly subject: FaultSubject
  readonly random: Random
  readonly key: string
  readonly open: OpenCall | undefined
}

export type Selection = {
  readonly selected: boolean
  readonly count: FaultCount
  /** Milliseconds until a rate-limited client may retry; 0 for other rules. */
  readonly retryAfterMs: bigint
}

/** The count of a rule before its first match. */
export const noCount: FaultCount = {
  matched: 0,
  calls: 0,
  applied: 0,
  masked: 0,
  buckets: noEntries,
  keyed: noEntries,
  first: undefined,
}

/** Returns whether a rule selects a call that it matches, and the updated count. */
export function select(rule: FaultRule, before: FaultCount, selecting: Selecting): Selection {
  const {
    subject: { timeMs, height },
    open,
  } = selecting
  const isRetry = open?.seen.includes(rule.name) === true
  const first = before.first ?? { timeMs, height }
  const { selected, count, retryAfterMs } = chosen(rule, { ...before, first }, selecting)
  const counted = {
    ...count,
    matched: count.matched + 1,
    calls: count.calls + (isRetry ? 0 : 1),
    applied: count.applied + (selected ? 1 : 0),
  }
  return { selected, count: counted, retryAfterMs }
}

function chosen(rule: FaultRule, count: FaultCount, selecting: Selecting): Selection {
  const { subject, random, key, open } = selecting
  const plain = (selected: boolean): Selection => ({ selected, count, retryAfterMs: 0n })
  switch (rule.select.type) {
    case 'all':
      return plain(true)
    case 'window': {
      const { skip, count: most, per } = rule.select
      if (per === 'call' && open?.seen.includes(rule.name) === true) {
        return plain(open.selected.includes(rule.name))
      }
      const index = per === 'call' ? count.calls : count.matched
      return plain(index >= skip && (most === undefined || index < skip + most))
    }
    case 'probability': {
      const { numerator, denominator } = rule.select
      const label = `fault:${rule.name}`
      if (rule.select.key === 'count') {
        return plain(random.below(label, count.matched, denominator) < numerator)
      }
      const short = shortKey(key)
      const index = recentValue(count.keyed, short) ?? 0
      const selected = random.below(`${label}:${key}`, index, denominator) < numerator
      return {
        selected,
        count: { ...count, keyed: withRecent(count.keyed, [short, index + 1], keysMost) },
        retryAfterMs: 0n,
      }
    }
    case 'rate':
      return overRate(rule.select, count, subject)
    case 'schedule':
      return plain(isOnNow(rule.select, count, subject))
  }
}

/** Maximum number of keys that are told apart; the least recently used is removed. */
const keysMost = 10_000

type Rate = Extract<FaultSelect, { type: 'rate' }>

/**
 * Selects a call for which no token is left. To avoid rounding, `tokens` counts fractions of a
 * token: `perMs` of them are one token.
 */
function overRate(rate: Rate, count: FaultCount, subject: FaultSubject): Selection {
  const { limit, perMs, burst } = rate
  const { timeMs } = subject
  const key = shortKey(rateKey(rate, subject))
  const cost = Number(perMs)
  const full = burst * cost
  const old = recentValue(count.buckets, key) ?? { tokens: full, refilledAtMs: timeMs }
  const windowMs = timeMs - (timeMs % perMs)
  const isBucket = rate.counting === 'bucket'
  const tokens = isBucket
    ? Math.min(full, old.tokens + Number(timeMs - old.refilledAtMs) * limit)
    : old.refilledAtMs < windowMs
      ? full
      : old.tokens
  const selected = tokens < cost
  const bucket = { tokens: selected ? tokens : tokens - cost, refilledAtMs: timeMs }
  const waitMs = isBucket ? BigInt(Math.ceil((cost - tokens) / limit)) : windowMs + perMs - timeMs
  return {
    selected,
    retryAfterMs: selected ? waitMs : 0n,
    count: { ...count, buckets: withRecent(count.buckets, [key, bucket], keysMost) },
  }
}

function rateKey({ by }: Rate, { session, client, connection }: FaultSubject): string {
  if (typeof by === 'object') return client.headers[by.header.toLowerCase()] ?? ''
  switch (by) {
    case 'all':
      return ''
    case 'session':
      return session
    case 'ip':
      return client.ip
    case 'connection':
      return connection === undefined ? client.ip : `#${connection}`
  }
}

function isOnNow(
  { unit, on, off }: Extract<FaultSelect, { type: 'schedule' }>,
  { first }: FaultCount,
  { timeMs, height }: FaultSubject,
): boolean {
  const since = unit === 'ms' ? timeMs - (first?.timeMs ?? 0n) : height - (first?.height ?? 0n)
  return since % (on + off) < on
}
