/**
 * The old part of an index from keys to numbers, as sorted runs (`sortedRun.ts`). Numbers are added in
 * ascending groups, one run each. 32 runs of one level are merged into one of the next, as in a
 * log-structured merge tree. A number is written a few times, and a look-up visits few runs.
 * All of it is an immutable value.
 */
import { assert, unlessRefused } from '../errors.ts'
import { entriesFrom, entriesOf, type RunEntry, type Ranges, rangesOf, type SortedRun, writeRun } from './sortedRun.ts'

/** Runs in ascending order of their numbers. The next group begins at `end`. */
export type SortedRuns = {
  readonly end: number
  readonly runs: readonly LevelRun[]
}

type LevelRun = SortedRun & { readonly level: number }

/** Numbers from `from` to `to` (exclusive). */
export type NumberRange = { readonly from: number; readonly to: number }

/** Returns the numbers of a range, ascending. */
export function numbersIn({ from, to }: NumberRange): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)
}

const runsPerLevel = 32

/** No runs. */
export const noRuns: SortedRuns = { end: 0, runs: [] }

/** Numbers by key, in ascending order. */
export type Group = ReadonlyMap<string, readonly number[]>

/**
 * Returns the runs with the group of all numbers below `to` that are not in them yet. Runs of
 * `levelMost` are not merged: this bounds the time of a merge. Nor are runs that cannot be read.
 */
export function withGroup(
  { end, runs }: SortedRuns,
  group: Group,
  { to, levelMost }: { to: number; levelMost: number },
): SortedRuns {
  if (group.size === 0) return { end: to, runs }
  const entries = [...group].map(([key, list]) => [key, rangesIn(list, end)] as const).sort(byKey)
  let all: readonly LevelRun[] = [...runs, { ...writeRun(entries, { from: end, to }), level: 0 }]
  for (let level = 0; level < levelMost; level++) {
    const last = all.slice(-runsPerLevel)
    if (last.length < runsPerLevel || last.some((run) => run.level !== level)) break
    // New blocks need nothing from runs in a damaged file, so they stay as they are.
    const run = unlessRefused(() => merged(last))
    if (run === undefined) break
    all = [...all.slice(0, -runsPerLevel), { ...run, level: level + 1 }]
  }
  return { end: to, runs: all }
}

function rangesIn(numbers: readonly number[], from: number): Ranges {
  assert((numbers[0] ?? from) >= from, `number ${numbers[0]} is below ${from}, where the run begins`)
  const ranges: number[] = []
  for (const number of numbers) {
    const end = ranges[ranges.length - 1]
    if (end === number) ranges[ranges.length - 1] = number + 1
    // A number may be there twice.
    else if (end === undefined || number > end) ranges.push(number, number + 1)
    else assert(number === end - 1, `number ${number} comes after ${end - 1}`)
  }
  return ranges
}

function merged(runs: readonly SortedRun[]): SortedRun {
  const [first, last] = [runs[0], runs[runs.length - 1]]
  return writeRun(mergedEntries(runs), { from: first?.from ?? 0, to: last?.to ?? 0 })
}

function* mergedEntries(runs: readonly SortedRun[]): Generator<RunEntry> {
  const entries: RunEntry[] = []
  for (const run of runs) for (const [key, ranges] of entriesOf(run)) entries.push([key, clipped(ranges, run)])
  // Sorting is stable and finds the runs, so that entries of a key are merged in order of their numbers.
  entries.sort(byKey)
  for (let at = 0; at < entries.length; ) {
    const [key] = entries[at] ?? ['']
    const ranges: number[] = []
    for (; entries[at]?.[0] === key; at++) join(ranges, entries[at]?.[1] ?? [])
    if (ranges.length > 0) yield [key, ranges]
  }
}

function byKey([a]: RunEntry, [b]: RunEntry): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

function join(ranges: number[], more: Ranges): void {
  const isNext = ranges.length > 0 && ranges[ranges.length - 1] === more[0]
  if (isNext) ranges.pop()
  for (let at = isNext ? 1 : 0; at < more.length; at++) ranges.push(more[at] ?? 0)
}

function clipped(ranges: Ranges, { from, to }: NumberRange): Ranges {
  if ((ranges[0] ?? from) >= from && (ranges[ranges.length - 1] ?? to) <= to) return ranges
  const inside: number[] = []
  for (let at = 0; at < ranges.length; at += 2) {
    const [first, end] = [Math.max(ranges[at] ?? 0, from), Math.min(ranges[at + 1] ?? 0, to)]
    if (first < end) inside.push(first, end)
  }
  return inside
}

/** Adds the numbers of a key within a range to `found`, ascending. */
export function findNumbers({ runs }: SortedRuns, key: string, range: NumberRange, found: number[]): void {
  for (const run of runs) {
    if (!overlaps(run, range)) continue
    const ranges = rangesOf(run, key)
    if (ranges !== undefined) push(found, clipped(ranges, within(run, range)))
  }
}

/** Adds the numbers within a range of all keys with a prefix that fit to `found`, unsorted. */
export function findNumbersWhere(
  { runs }: SortedRuns,
  { prefix, fits }: { readonly prefix: string; readonly fits: (key: string) => boolean },
  range: NumberRange,
  found: number[],
): void {
  for (const run of runs) {
    if (!overlaps(run, range)) continue
    for (const [key, ranges] of entriesFrom(run, prefix)) {
      if (!key.startsWith(prefix)) break
      if (fits(key)) push(found, clipped(ranges, within(run, range)))
    }
  }
}

/** Yields the numbers of a key, the newest run first and descending within it. */
export function* numbersDescending({ runs }: SortedRuns, key: string): Generator<number> {
  for (let at = runs.length - 1; at >= 0; at--) {
    const run = runs[at]
    if (run === undefined) continue
    const found: number[] = []
    push(found, clipped(rangesOf(run, key) ?? [], run))
    yield* found.reverse()
  }
}

function overlaps(run: SortedRun, { from, to }: NumberRange): boolean {
  return run.from < to && from < run.to
}

function within(run: SortedRun, { from, to }: NumberRange): NumberRange {
  return { from, to: Math.min(to, run.to) }
}

function push(found: number[], ranges: Ranges): void {
  for (let at = 0; at < ranges.length; at += 2) {
    for (let number = ranges[at] ?? 0; number < (ranges[at + 1] ?? 0); number++) found.push(number)
  }
}

/** Returns the runs without the numbers ≥ `end`. */
export function truncatedRuns(runs: SortedRuns, end: number): SortedRuns {
  if (end >= runs.end) return runs
  const kept = runs.runs.filter(({ from }) => from < end)
  return { end, runs: kept.map((run) => (run.to <= end ? run : { ...run, to: end })) }
}

/** Returns the runs without those that have only numbers below `start`. */
export function runsFrom(runs: SortedRuns, start: number): SortedRuns {
  const [first] = runs.runs
  return first === undefined || first.to > start ? runs : { ...runs, runs: runs.runs.filter(({ to }) => to > start) }
}
