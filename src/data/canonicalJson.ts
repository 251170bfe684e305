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
  switch (typeof value) {
    case 'string': return JSON.stringify(value.startsWith('#') ? `#${value}` : value)
    case 'boolean': return String(value)
    case 'bigint': return `"#n:${value}"`
    case 'number':
      assert(Number.isFinite(value), `canonical JSON has no ${value}`)
      return JSON.stringify(value)
    case 'object': return value === null ? 'null' : objectText(value)
    default: assert(false, `canonical JSON has no ${typeof value}`)
  }
}

function objectText(value: object): string {
  if (value instanceof Uint8Array) return `"#x:${hex(value)}"`
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const prototype: unknown = Object.getPrototypeOf(value)
  const isPlain = prototype === Object.prototype || prototype === null
  assert(isPlain, 'canonical JSON has only plain objects')
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`)
  return `{${members.join(',')}}`
}

function hex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0')
  return text
}
