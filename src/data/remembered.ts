/** A function with cached results; `keep` adds a known result to the cache. */
export type Remembered<Key, Value> = ((key: Key) => Value) & {
  readonly keep: (key: Key, value: Value) => void
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
  // Two generations: when the younger one is full, the older one is dropped.
  let young = new WeakMap<Key, { readonly value: Value }>()
  let old = young
  let count = 0
  const keep = (key: Key, value: Value): void => {
    if (++count > most / 2) {
      old = young
      young = new WeakMap()
      count = 1
    }
    young.set(key, { value })
  }
  const get = (key: Key): Value => {
    const found = young.get(key)
    if (found !== undefined) return found.value
    const older = old.get(key)
    if (older !== undefined) {
      keep(key, older.value)
      return older.value
    }
    const value = make(key)
    keep(key, value)
    return value
  }
  return Object.assign(get, { keep })
}
