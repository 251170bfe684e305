/**
 * An index from hashes, in hex, to numbers. The newest are in a map, older ones in sorted runs. Runs
 * have only the beginning of a hash, and numbers may have been removed since: whoever looks up a hash
 * checks the numbers that are found.
 */
import { emptyMap, mapChanged, mapDelete, mapGet, mapSet, type PersistentMap } from './persistentMap.ts'
import { noRuns, numbersDescending, runsFrom, type SortedRuns, truncatedRuns, withGroup } from './sortedRuns.ts'

export type HashIndex = {
  readonly newest: PersistentMap<number>
  /** The numbers below `old.end`. */
  readonly old: SortedRuns
}

/** An index without hashes. */
export const emptyHashIndex: HashIndex = { newest: emptyMap, old: noRuns }

/** 48 bits: of a million hashes, two begin alike once in 600 chains. */
const digitsInRuns = 12

/** The largest runs have four million hashes. */
const levelMost = 3

/** Returns the index with the numbers of some hashes. */
export function withHashes(index: HashIndex, numbers: ReadonlyMap<string, number>): HashIndex {
  return { ...index, newest: mapChanged(index.newest, numbers) }
}

/** Yields the numbers that a hash may have, the last one added first. */
export function* numbersOfHash({ newest, old }: HashIndex, hash: string): Generator<number> {
  const number = mapGet(newest, hash)
  if (number !== undefined) yield number
  yield* numbersDescending(old, hash.slice(0, digitsInRuns))
}

/** Returns the index without some of its newest hashes. */
export function withoutHashes(index: HashIndex, hashes: Iterable<string>): HashIndex {
  let { newest } = index
  for (const hash of hashes) newest = mapDelete(newest, hash)
  return newest === index.newest ? index : { ...index, newest }
}

/** Returns the index without the numbers ≥ `end`, which these hashes have. */
export function truncatedHashes(index: HashIndex, end: number, hashes: Iterable<string>): HashIndex {
  return { ...withoutHashes(index, hashes), old: truncatedRuns(index.old, end) }
}

/** Returns the index without the runs that only have numbers below `start`. */
export function hashesFrom(index: HashIndex, start: number): HashIndex {
  return { ...index, old: runsFrom(index.old, start) }
}

/** Returns the index with its numbers below `to` in runs; `hashes` are those of these numbers. */
export function withOldHashes(
  index: HashIndex,
  to: number,
  hashes: Iterable<readonly [hash: string, number: number]>,
): HashIndex {
  const group = new Map<string, number[]>()
  let { newest } = index
  for (const [hash, number] of hashes) {
    const key = hash.slice(0, digitsInRuns)
    const list = group.get(key)
    if (list === undefined) group.set(key, [number])
    else list.push(number)
    if (mapGet(newest, hash) === number) newest = mapDelete(newest, hash)
  }
  return { newest, old: withGroup(index.old, group, { to, levelMost }) }
}

/** Returns the index with one more hash. */
export function withHash(index: HashIndex, hash: string, number: number): HashIndex {
  return { ...index, newest: mapSet(index.newest, hash, number) }
}
