import type { Example } from '../../src/rpc/method.ts'

/**
 * Makes the calls before an example, then the call of the example; returns its parameters and reply.
 * `$1` in parameters is the result of the first call, `$1.hash` a member of it.
 */
export function runExample<Reply extends { readonly result?: unknown }>(
  method: string,
  { before = [], params }: Example,
  call: (method: string, params: readonly unknown[]) => Reply,
): { readonly params: readonly unknown[]; readonly reply: Reply } {
  const results: unknown[] = []
  for (const [name, ...given] of before) results.push(call(name, filledIn(given, results)).result)
  const own = filledIn(params, results)
  return { params: own, reply: call(method, own) }
}

function filledIn(params: readonly unknown[], results: readonly unknown[]): readonly unknown[] {
  const text = JSON.stringify(params)
  return JSON.parse(text, (_, value: unknown) => {
    const [, index, path = ''] = /^\$(\d+)((?:\.\w+)*)$/.exec(String(value)) ?? []
    if (index === undefined) return value
    return path
      .split('.')
      .slice(1)
      .reduce((one: unknown, key) => Reflect.get(Object(one), key), results[Number(index) - 1])
  }) as readonly unknown[]
}

/** Returns the differences between a reply and the result or error of an example. */
export function compareReply(
  example: Example,
  reply: { readonly result?: unknown; readonly error?: { readonly message: string } },
): readonly string[] {
  if ('error' in example) return compareJson(example.error, reply.error?.message)
  return compareJson(example.result, reply.result)
}

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
