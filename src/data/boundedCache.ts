/** A least-recently-used cache with a maximum total weight. */

export type BoundedCache<Value> = {
  readonly get: (key: string) => Value | undefined
  readonly set: (key: string, value: Value) => void
}

/**
 * Returns an empty cache. `weightOf` returns the weight of a value; `most` is the maximum total.
 */
export function boundedCache<Value>(most: number, weightOf: (value: Value) => number): BoundedCache<Value> {
  const known = new Map<string, Value>()
  let weight = 0
  function drop(key: string): void {
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
  }
}
