/** A least-recently-used cache with a maximum total weight. `values` lists what it holds, the oldest first. */

export type BoundedCache<Value, Key = string> = {
  readonly get: (key: Key) => Value | undefined
  readonly set: (key: Key, value: Value) => void
  readonly values: () => readonly Value[]
}

/**
 * Returns an empty cache. `weightOf` returns the weight of a value; `most` is the maximum total.
 */
export function boundedCache<Value, Key = string>(
  most: number,
  weightOf: (value: Value) => number,
): BoundedCache<Value, Key> {
  const known = new Map<Key, Value>()
  let weight = 0
  function drop(key: Key): void {
    const value = known.get(key)
    if (value !== undefined && known.delete(key)) weight -= weightOf(value)
  }
  return {
    get: (key) => {
      const value = known.get(key)
      if (value === undefined) return undefined
      known.delete(key)
      known.set(key, value)
      return value
    },
    set: (key, value) => {
      drop(key)
      known.set(key, value)
      weight += weightOf(value)
      for (const oldest of known.keys()) {
        if (weight <= most || oldest === key) return
        drop(oldest)
      }
    },
    values: () => [...known.values()],
  }
}
