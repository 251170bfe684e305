/**
 * Canonical JSON for digests and comparisons: sorted keys, no spaces, one text per value. Values
 * that JSON cannot express are strings with a mark, so that different values have different texts:
 *
 * - a bigint is `"#n:` and its decimal digits, bytes are `"#x:` and lower-case hex;
 * - a string that starts with `#` gets one more `#` in front.
 *
 * Undefined members are omitted; −0 is 0.
 */
import { assert } from '../errors.ts'

/**
 * Returns the canonical text of a value. Throws `AssertionFailed` for functions, symbols, NaN,
 * infinities, undefined outside an object, and objects that are not plain (maps, dates, …).
 */
export function canonicalJson(value: unknown): string {
  let text = ''
  // The unwritten parts, last first. An explicit stack, because requests can nest deeper than the
  // call stack allows.
  const waiting: (Unwritten | string)[] = [{ value }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    text += typeof next === 'string' ? next : begun(next.value, waiting)
  }
  return text
}

type Unwritten = { readonly value: unknown }

/** Returns the beginning of a value's text, and pushes the rest of the value on the stack. */
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
