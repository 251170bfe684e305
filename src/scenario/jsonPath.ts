/** Returns the member names of a path such as `a.0.b` or `$.a[0].b`. */
export function partsOfPath(path: string): readonly string[] {
  return path
    .replace(/^\$\.?/, '')
    .replace(/\[(\w+)\]/g, '.$1')
    .split('.')
    .filter((part) => part !== '')
}

/** Returns the value at a path inside a JSON value, or undefined. */
export function valueIn(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (at, part) => (typeof at === 'object' && at !== null ? (at as Record<string | number, unknown>)[part] : undefined),
    value,
  )
}
