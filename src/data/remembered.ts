/**
 * Returns `make` with its results kept for the very objects they were made from, the latest few
 * thousand of them. Only for objects that nobody changes, and whose results nobody changes.
 */
export function remembered<Key extends object, Value>(
  make: (key: Key) => Value, most = 10_000,
): (key: Key) => Value {
  let known = new WeakMap<Key, { readonly value: Value }>()
  let count = 0
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found.value
    const value = make(key)
    if (++count > most) {
      known = new WeakMap()
      count = 1
    }
    known.set(key, { value })
    return value
  }
}
