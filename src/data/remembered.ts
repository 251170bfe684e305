/** A function whose results are kept; `keep` tells it one that is known before anybody asks. */
export type Remembered<Key, Value> = ((key: Key) => Value) & {
  readonly keep: (key: Key, value: Value) => void
}

/**
 * Returns `make` with its results kept for the very objects they were made from, the latest few
 * thousand of them. Only for objects that nobody changes, and whose results nobody changes.
 */
export function remembered<Key extends object, Value>(
  make: (key: Key) => Value,
  most = 10_000,
): Remembered<Key, Value> {
  let known = new WeakMap<Key, { readonly value: Value }>()
  let count = 0
  const keep = (key: Key, value: Value): void => {
    if (++count > most) {
      known = new WeakMap()
      count = 1
    }
    known.set(key, { value })
  }
  const get = (key: Key): Value => {
    const found = known.get(key)
    if (found !== undefined) return found.value
    const value = make(key)
    keep(key, value)
    return value
  }
  return Object.assign(get, { keep })
}
