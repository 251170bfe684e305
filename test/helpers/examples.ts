/** Compares an answer with that of an example: `'…'` stands for anything. */
export function compareJson(want: unknown, got: unknown, path = ''): readonly string[] {
  if (want === '…') return got === undefined ? [`${path}: nothing`] : []
  if (Array.isArray(want) && Array.isArray(got)) {
    const lengths = want.length === got.length ? [] : [`${path}: ${got.length} items`]
    return [...lengths, ...want.flatMap((each, index) => compareJson(each, got[index], `${path}[${index}]`))]
  }
  if (isObject(want) && isObject(got)) {
    const names = new Set([...Object.keys(want), ...Object.keys(got)])
    return [...names].flatMap((name) => compareJson(want[name], got[name], `${path}.${name}`))
  }
  return want === got ? [] : [`${path}: ${JSON.stringify(got)} instead of ${JSON.stringify(want)}`]
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
