/**
 * The journal of clients' calls: counts by method for expectations, and the latest calls for the
 * dashboard.
 */
import { append, emptySegments, items, withoutFirst, type Segments } from '../data/segments.ts'
import type { CallRecord } from '../rpc/callRecord.ts'

export type Journal = {
  /** Calls by method, up to call number `counted`; `countsOf` includes the later ones. */
  readonly counts: ReadonlyMap<string, number>
  /** How many calls `counts` covers; absent means all, as in older saved states. */
  readonly counted?: number
  /** All calls; the first `dropped` of them are no longer held. */
  readonly calls: Segments<CallRecord>
  readonly dropped: number
  /** Older calls that expectations of the scenario may judge, oldest first; absent if there were none. */
  readonly judged?: readonly CallRecord[]
  /** The time of the newest call that `judged` has lost, because there were too many. */
  readonly lostMs?: bigint
}

const recentMost = 256

/** Maximum number of older calls that are held for expectations. */
const judgedMost = 4096

/**
 * Maximum number of method names counted separately, because clients can invent names; the rest
 * share one count.
 */
const namesMost = 1000
export const otherMethods = '(others)'

export const emptyJournal: Journal = { counts: new Map(), calls: emptySegments(), dropped: 0 }

/**
 * Returns the journal with more calls. To keep this cheap, old calls are dropped in batches of 256
 * or more, and counted by method at that time. Those that `mayJudge` names are held longer.
 */
export function noted(
  journal: Journal,
  records: readonly CallRecord[],
  mayJudge: (record: CallRecord) => boolean = () => false,
): Journal {
  if (records.length === 0) return journal
  const { counts, counted = journal.calls.length, dropped, judged, lostMs } = journal
  const calls = records.reduce((before, record) => append(before, record), journal.calls)
  // Node 20 takes long for members behind the spread of an object, so the held calls come last.
  if (calls.length - dropped <= 2 * recentMost)
    return { counts, counted, calls, dropped, ...heldMembers(judged, lostMs) }
  const kept = calls.length - recentMost
  const gone = recentCalls({ calls, dropped }).slice(0, kept - dropped)
  return {
    counts: countsOf({ counts, counted, calls, dropped }),
    counted: calls.length,
    calls: withoutFirst(calls, kept),
    dropped: kept,
    ...held(journal, gone, mayJudge),
  }
}

type Held = Pick<Journal, 'judged' | 'lostMs'>

function held(
  { judged = [], lostMs }: Held,
  gone: readonly CallRecord[],
  mayJudge: (one: CallRecord) => boolean,
): Held {
  const all = [...judged, ...gone].filter(mayJudge)
  const lost = all.at(-judgedMost - 1)?.timeMs ?? lostMs
  return heldMembers(all.length > 0 ? all.slice(-judgedMost) : undefined, lost)
}

/** Returns the members of a journal that most journals do not have. */
function heldMembers(judged: Journal['judged'], lostMs: Journal['lostMs']): Held {
  return { ...(judged && { judged }), ...(lostMs !== undefined && { lostMs }) }
}

/** Returns the number of calls by method, in the order of first calls. */
export function countsOf({ counts, calls, counted = calls.length }: Journal): ReadonlyMap<string, number> {
  if (counted === calls.length) return counts
  const more = new Map<string, number>()
  for (const { method } of items(calls, counted)) more.set(method, (more.get(method) ?? 0) + 1)
  return withCounts(counts, more)
}

/** Returns the counts with more calls; at most 1,000 methods are counted separately. */
export function withCounts(
  counts: ReadonlyMap<string, number>,
  more: Iterable<readonly [method: string, count: number]>,
): ReadonlyMap<string, number> {
  const next = new Map(counts)
  for (const [method, count] of more) {
    const name = next.has(method) || next.size < namesMost ? method : otherMethods
    next.set(name, (next.get(name) ?? 0) + count)
  }
  return next
}

/**
 * Returns the calls since a time that are held for expectations, oldest first, and whether that is all of
 * them.
 */
export function callsSince(journal: Journal, fromMs: bigint) {
  const { judged = [], lostMs } = journal
  const calls = [...judged, ...recentCalls(journal)].filter(({ timeMs }) => timeMs >= fromMs)
  return { calls, isWhole: lostMs === undefined || lostMs < fromMs }
}

/** Returns the latest calls, oldest first. */
export function recentCalls({ calls, dropped }: Pick<Journal, 'calls' | 'dropped'>): readonly CallRecord[] {
  return [...items(calls, dropped)]
}
