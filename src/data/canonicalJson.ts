/**
 * One text for one value, for digests and comparisons. It is JSON with sorted keys and no spaces;
 * what JSON has no word for is a string with a mark, so that different values have different texts:
 *
 * - a bigint is `"#n:` and its decimal digits, bytes are `"#x:` and lower-case hex;
 * - a string that starts with `#` gets one more `#` in front.
 *
 * Members that are undefined are left out; −0 is 0.
 */
import { assert } from '../errors.ts'

/**
 * Returns the canonical text. Throws `AssertionFailed` on what has none: functions, symbols, NaN,
 * infinities, undefined outside of an object, and objects that are not plain (maps, dates, …).
 */
export function canonicalJson(value: unknown): string {
  let text = ''
  // What is still to be written, last first: a stack of our own, because requests nest deeper than
  // the call stack reaches.
  const waiting: (Unwritten | string)[] = [{ value }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    text += typeof next === 'string' ? next : begun(next.value, waiting)
  }
  return text
}

type Unwritten = { readonly value: unknown }

/** Returns the text that a value begins with, and leaves the rest of it on the stack. */
function begun(value: unknown, waiting: (Unwritten | string)[]): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value.startsWith('#') ? `#${value}` : value)
    case 'boolean':
      return String(value)
    case 'bigint':
      return `"#n:${value}"`
    case 'number':
      assert(Number.isFinite(value), `canonical JSON has no ${value}`)
      return JSON.stringify(value)
    case 'object':
      break
    default:
      assert(false, `canonical JSON has no ${typeof value}`)
  }
  if (value === null) return 'null'
  if (value instanceof Uint8Array) return `"#x:${hex(value)}"`
  if (Array.isArray(value)) {
    waiting.push(']')
    for (let at = value.length - 1; at >= 0; at--) {
      waiting.push({ value: value[at] as unknown })
      if (at > 0) waiting.push(',')
    }
    return '['
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  const isPlain = prototype === Object.prototype || prototype === null
  assert(isPlain, 'canonical JSON has only plain objects')
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? 1 : -1))
  waiting.push('}')
  members.forEach(([key, member], at) => {
    const comma = at === members.length - 1 ? '' : ','
    waiting.push({ value: member }, `${comma}${JSON.stringify(key)}:`)
  })
  return '{'
}

function hex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0')
  return text
}
