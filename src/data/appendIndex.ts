/**
 * An index from keys to ascending numbers, such as logs by address or transactions by event. It is
 * an immutable value over storage that versions share. Numbers grow with each append, so a version
 * sees the numbers below its `limit`. Appending to the newest version writes in place. Appending to
 * an older one forks: it adds a layer above the shared ones.
 *
 * Appended numbers are indexed on the first read: most chains are never searched, and computing a
 * block's keys took a tenth of its time.
 *
 * Old numbers may move to sorted runs, which are bytes (`withOld`).
 *
 * A key may be a name and a value, separated by NUL; `newestKeysOf` lists the keys of a name.
 */
import { assert } from '../errors.ts'
import {
  findNumbers,
  findNumbersWhere,
  type NumberRange,
  noRuns,
  type SortedRuns,
  truncatedRuns,
  withGroup,
} from './sortedRuns.ts'

export type AppendIndex = Newest & {
  /** The numbers below `old.end`; they do not count in `layer`. */
  readonly old: SortedRuns
}

type Newest = {
  /** One more than the last number appended, or the end of the runs. */
  readonly limit: number
  readonly layer: Layer
}

/**
 * Shared and mutable: the version whose limit equals `limit` is the newest and may append, unless the layer is
 * sealed.
 */
type Layer = {
  limit: number
  isSealed?: true
  /** Numbers that are not indexed yet, in order. */
  waiting: Waiting[]
  readonly lists: Map<string, number[]>
  /** The keys that have a value, by name, in order of their first number. */
  readonly named: Map<string, string[]>
  readonly below: Newest | undefined
  readonly depth: number
  /** The merged layers, as made by an earlier fork, so that the next fork reuses them. */
  merged: Newest | undefined
}

/** Consecutive numbers whose keys come from the same source. */
type Waiting = { readonly first: number; end: number; keys: KeysOf; readonly source: object }

/** Returns the index keys of a number. */
export type KeysOf = (number: number) => Iterable<string>

/** A fork above this depth merges all layers, so that a read visits few of them. */
const maxDepth = 8

/** Returns an index with runs and no newer numbers. */
export function emptyIndex(old: SortedRuns = noRuns): AppendIndex {
  return { limit: old.end, layer: makeLayer(old.end, undefined), old }
}

/**
 * Returns the index with a number added, which must be at least `index.limit`. `keys` is called
 * when the index is first read. Consecutive numbers of the same `source` take no memory until then;
 * the newest `keys` is called for all of them.
 */
export function appendNumber(index: AppendIndex, number: number, keys: KeysOf, source: object = keys): AppendIndex {
  assert(number >= index.limit, `number ${number} is not above those below ${index.limit}`)
  const isNewest = index.limit === index.layer.limit && index.layer.isSealed === undefined
  const layer = isNewest ? index.layer : fork(index)
  const last = layer.waiting.at(-1)
  if (last !== undefined && last.source === source && last.end === number) {
    last.end = number + 1
    last.keys = keys
  } else layer.waiting.push({ first: number, end: number + 1, keys, source })
  layer.limit = number + 1
  return { limit: layer.limit, layer, old: index.old }
}

/** Makes later appends to an index fork, as `seal` of a list does. */
export function sealIndex({ layer }: AppendIndex): void {
  layer.isSealed = true
}

/** Returns the layer with all waiting numbers indexed. */
function filed(layer: Layer): Layer {
  if (layer.waiting.length === 0) return layer
  for (const { first, end, keys } of layer.waiting) {
    for (let number = first; number < end; number++) fileAll(layer, number, keys(number))
  }
  layer.waiting = []
  return layer
}

function fileAll(layer: Layer, number: number, keys: Iterable<string>): void {
  for (const key of keys) {
    const list = layer.lists.get(key)
    if (list === undefined) file(layer, key, [number])
    else if (list[list.length - 1] !== number) list.push(number)
  }
}

/** Returns the index without the numbers ≥ `limit`. */
export function truncatedIndex(index: AppendIndex, limit: number): AppendIndex {
  const old = truncatedRuns(index.old, limit)
  if (limit >= index.limit) return { ...index, old }
  return { ...(limit <= old.end ? { limit, layer: makeLayer(limit, undefined) } : truncatedNewest(index, limit)), old }
}

function truncatedNewest({ layer }: Newest, limit: number): Newest {
  const isBelow = layer.below !== undefined && limit <= layer.below.limit
  return isBelow ? truncatedNewest(layer.below, limit) : { limit, layer }
}

/**
 * Returns an index of the numbers from `to` on only, without any yet. The numbers below, which are
 * those of `numbers` that are not in runs, are in runs. `levelMost` bounds the time of a merge.
 */
export function withOld(
  index: AppendIndex,
  numbers: Iterable<number>,
  { to, keys, levelMost }: { readonly to: number; readonly keys: KeysOf; readonly levelMost: number },
): AppendIndex {
  const group = new Map<string, number[]>()
  for (const number of numbers) {
    for (const key of keys(number)) {
      const list = group.get(key)
      if (list === undefined) group.set(key, [number])
      else if (list[list.length - 1] !== number) list.push(number)
    }
  }
  return emptyIndex(withGroup(index.old, group, { to, levelMost }))
}

/** Returns the numbers of a key with from ≤ number < to, ascending. */
export function numbersOf(index: AppendIndex, key: string, range: { from?: number; to?: number } = {}): number[] {
  const { from = 0, to = Infinity } = range
  const { end } = index.old
  const newest = newestOf(index, key, { from: Math.max(from, end), to })
  if (from >= end) return newest
  const found: number[] = []
  findNumbers(index.old, key, { from, to }, found)
  return found.length === 0 ? newest : found.concat(newest)
}

function newestOf(index: Newest, key: string, { from, to }: NumberRange): number[] {
  const limit = Math.min(to, index.limit)
  const { below, lists } = filed(index.layer)
  const isBelow = below !== undefined && from < below.limit
  const earlier = isBelow ? newestOf(below, key, { from, to }) : []
  const list = lists.get(key)
  if (list === undefined) return earlier
  const own = list.slice(firstAtLeast(list, from), firstAtLeast(list, limit))
  return earlier.length === 0 ? own : earlier.concat(own)
}

/** Returns the numbers of any of several keys with from ≤ number < to, ascending and unique. */
export function numbersOfAny(
  index: AppendIndex,
  keys: readonly string[],
  range: { readonly from: number; readonly to: number },
): number[] {
  const found: number[] = []
  for (const key of keys) findNumbers(index.old, key, range, found)
  return withNewest(index, keys, range, found)
}

/**
 * Returns the numbers of any key of a name that fits with from ≤ number < to, ascending and unique.
 * `newest` are the fitting keys of `newestKeysOf`.
 */
export function numbersOfName(
  index: AppendIndex,
  {
    name,
    fits,
    newest,
  }: { readonly name: string; readonly fits: (key: string) => boolean; readonly newest: readonly string[] },
  range: NumberRange,
): number[] {
  const found: number[] = []
  findNumbersWhere(index.old, { prefix: `${name}\0`, fits }, range, found)
  return withNewest(index, newest, range, found)
}

function withNewest(index: AppendIndex, keys: readonly string[], { from, to }: NumberRange, found: number[]): number[] {
  gather(index, keys, { from: Math.max(from, index.old.end), to, found })
  const once: number[] = []
  for (const number of Float64Array.from(found).sort()) {
    if (number !== once[once.length - 1]) once.push(number)
  }
  return once
}

function gather(
  { limit, layer }: Newest,
  keys: readonly string[],
  { from, to, found }: { readonly from: number; readonly to: number; readonly found: number[] },
): void {
  const end = Math.min(to, limit)
  const { lists } = filed(layer)
  if (layer.below !== undefined && from < layer.below.limit) {
    gather(layer.below, keys, { from, to: end, found })
  }
  for (const key of keys) {
    const list = lists.get(key)
    if (list === undefined) continue
    for (let place = firstAtLeast(list, from); place < list.length; place++) {
      const number = list[place] ?? end
      if (number >= end) break
      found.push(number)
    }
  }
}

/**
 * Returns the keys of a name that have a value, in append-only lists, without those in runs. Keys
 * are unique within a list. Some keys may have numbers only in later versions.
 */
export function newestKeysOf({ layer }: Newest, name: string): (readonly string[])[] {
  const { named, below } = filed(layer)
  const earlier = below === undefined ? [] : newestKeysOf(below, name)
  const own = named.get(name)
  return own === undefined ? earlier : [...earlier, own]
}

function newestKeys(index: Newest): Set<string> {
  const { below, lists } = filed(index.layer)
  const keys = below === undefined ? new Set<string>() : newestKeys(below)
  for (const [key, [first]] of lists) {
    if (first !== undefined && first < index.limit) keys.add(key)
  }
  return keys
}

function makeLayer(limit: number, below: Newest | undefined): Layer {
  const depth = below === undefined ? 0 : below.layer.depth + 1
  return { limit, waiting: [], lists: new Map(), named: new Map(), below, depth, merged: undefined }
}

function file({ lists, named }: Layer, key: string, numbers: number[]): void {
  lists.set(key, numbers)
  const end = key.indexOf('\0')
  if (end < 0) return
  const name = key.slice(0, end)
  const keys = named.get(name)
  if (keys === undefined) named.set(name, [key])
  else keys.push(key)
}

function fork(index: Newest): Layer {
  return makeLayer(index.limit, index.layer.depth < maxDepth ? index : mergeLayers(index))
}

function mergeLayers(index: Newest): Newest {
  const { limit, layer } = index
  if (layer.merged?.limit === limit) return layer.merged
  const merged = makeLayer(limit, undefined)
  for (const key of newestKeys(index)) file(merged, key, newestOf(index, key, { from: 0, to: limit }))
  layer.merged = { limit, layer: merged }
  return layer.merged
}

function firstAtLeast(list: readonly number[], number: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle] ?? Infinity) < number) low = middle + 1
    else high = middle
  }
  return low
}
