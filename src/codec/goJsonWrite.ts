import { type Json, parseJson } from './goJson.ts'

/** A JavaScript value with a JSON form. An undefined member is omitted. */
export type Plain = null | boolean | number | bigint | string | readonly Plain[] | PlainObject

export type PlainObject = { readonly [name: string]: Plain | undefined }

/**
 * Returns compact JSON as Go writes it. `<`, `>`, `&`, U+2028 and U+2029 are escaped; lone
 * surrogates (invalid UTF-8 bytes, see `goText`) become `\ufffd`. Throws TypeError for a bigint:
 * encode it with a codec, or call `writeJsonBigints`.
 */
export function writeJson(value: Plain): string {
  return escapeAsGo(JSON.stringify(value))
}

/** Returns compact JSON as `writeJson` does, with bigints as JSON numbers or as decimal strings. */
export function writeJsonBigints(value: Plain, as: 'number' | 'string'): string {
  if (typeof value === 'bigint') return as === 'number' ? value.toString() : `"${value}"`
  if (Array.isArray(value)) {
    return `[${value.map((item: Plain) => writeJsonBigints(item, as)).join(',')}]`
  }
  if (value === null || typeof value !== 'object') return writeJson(value)
  const members: string[] = []
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) members.push(`${writeJson(name)}:${writeJsonBigints(member, as)}`)
  }
  return `{${members.join(',')}}`
}

/** Returns compact JSON text with Go's escapes added, without a lone surrogate. */
export function escapeAsGo(json: string): string {
  if (json.includes('\\ud')) {
    // Consumes a backslash and the next character together: `\\ud800` is a backslash and text.
    return json.replace(/\\(?:ud[89a-f][0-9a-f]{2}|.)|[<>&\u2028\u2029]/g, escapeOne)
  }
  return escapeRaw(json)
}

/** Returns compact JSON text with Go's escapes added, which keeps the spelling of what is echoed. */
export function escapeRaw(json: string): string {
  return /[<>&\u2028\u2029]/.test(json) ? json.replace(/[<>&\u2028\u2029]/g, escapeOne) : json
}

const escapes: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

function escapeOne(match: string): string {
  return escapes[match] ?? (match.startsWith('\\ud') ? '\\ufffd' : match)
}

/** Returns the tree obtained by parsing a value's JSON; bigints become JSON numbers. */
export function jsonOf(value: Plain): Json {
  return parseJson(writeJsonBigints(value, 'number'))
}

/**
 * Returns the plain JavaScript value of a tree, as `JSON.parse` would: numbers lose their spelling.
 * Recursion is safe, because the parser limits the depth of external trees.
 */
export function plainOf(json: Json): Plain {
  return JSON.parse(json.raw) as Plain
}

/** Returns a value with the members of every object sorted by name, as Go writes a map. */
export function sortedMembers(value: Plain): Plain {
  if (Array.isArray(value)) return value.map(sortedMembers)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return Object.fromEntries(entries.map(([name, each]) => [name, each === undefined ? undefined : sortedMembers(each)]))
}
