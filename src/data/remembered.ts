/** Results that are kept while they are used: by the identity of an argument, or by a key. */

/** A map that forgets what was not used lately. */
export type RecentMap<Key, Value> = {
  readonly get: (key: Key) => Value | undefined
  readonly set: (key: Key, value: Value) => void
}

/** A function with cached results; `keep` adds a known result to the cache. */
export type Remembered<Key, Value> = ((key: Key) => Value) & {
  readonly keep: (key: Key, value: Value) => void
}

/** Returns an empty map. It keeps at least the `most / 2` values used last, and at most `most`. */
export function recentMap<Key, Value>(
  most: number,
  empty: () => RecentMap<Key, Value> = () => new Map(),
): RecentMap<Key, Value> {
  // Two generations: when the younger one is full, the older one is dropped.
  let young = empty()
  let old = young
  let count = 0
  const set = (key: Key, value: Value): void => {
    if (++count > most / 2) {
      old = young
      young = empty()
      count = 1
    }
    young.set(key, value)
  }
  const get = (key: Key): Value | undefined => {
    const found = young.get(key)
    if (found !== undefined) return found
    const older = old.get(key)
    if (older !== undefined) set(key, older)
    return older
  }
  return { get, set }
}

/**
 * Returns `make` with its results cached by the identity of their argument. At least the `most / 2`
 * most recently used results are kept, and at most `most`. Arguments and results must never be
 * mutated.
 */
export function remembered<Key extends object, Value>(
  make: (key: Key) => Value,
  most = 10_000,
): Remembered<Key, Value> {
  type Kept = { readonly value: Value }
  const known = recentMap<Key, Kept>(most, () => new WeakMap<Key, Kept>())
  const keep = (key: Key, value: Value): void => known.set(key, { value })
  const get = (key: Key): Value => {
    const found = known.get(key)
    if (found !== undefined) return found.value
    const value = make(key)
    keep(key, value)
    return value
  }
  return Object.assign(get, { keep })
}

/**
 * Returns `make` with its results cached by the key of their argument, such as the text of some
 * bytes; `make` gets the key too. As many are kept as by `remembered`. Results must never be mutated.
 */
export function rememberedBy<Argument, Value extends {}>(
  keyOf: (argument: Argument) => string,
  make: (argument: Argument, key: string) => Value,
  most = 10_000,
): (argument: Argument) => Value {
  const known = recentMap<string, Value>(most)
  return (argument) => {
    const key = keyOf(argument)
    const found = known.get(key)
    if (found !== undefined) return found
    const value = make(argument, key)
    known.set(key, value)
    return value
  }
}
