import { type Json, parseJson } from './goJson.ts'

/** A plain JavaScript value that has a JSON form. A member that is undefined is left out. */
export type Plain = null | boolean | number | bigint | string | readonly Plain[] | PlainObject

export type PlainObject = { readonly [name: string]: Plain | undefined }

/**
 * Returns compact JSON as Go writes it: `<`, `>`, `&`, U+2028 and U+2029 escaped, half surrogates
 * (bytes that are no UTF-8, see `goText`) as `\ufffd`. A bigint in the value is a mistake of the
 * caller and throws TypeError: codecs spell it, or `writeJsonBigints` does.
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

/**
 * Returns JSON text that is already compact with Go's escapes: for ids, which are echoed in the
 * spelling they came in.
 */
export function escapeAsGo(json: string): string {
  if (json.includes('\\ud')) {
    // Pairs of characters after a backslash are consumed whole: `\\ud800` is a backslash and text.
    return json.replace(/\\(?:ud[89a-f][0-9a-f]{2}|.)|[<>&\u2028\u2029]/g, escapeOne)
  }
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

/** Returns a plain value as the tree that parsing its JSON gives; bigints become JSON numbers. */
export function jsonOf(value: Plain): Json {
  return parseJson(writeJsonBigints(value, 'number'))
}

/**
 * Returns the plain JavaScript value of a tree, as `JSON.parse` would: numbers lose their spelling.
 * Recursion is safe: trees from outside are limited in depth by what reads them.
 */
export function plainOf(json: Json): Plain {
  return JSON.parse(json.raw) as Plain
}

/** Returns a value as Go writes a map: the members of every object in the order of their names. */
export function sortedMembers(value: Plain): Plain {
  if (Array.isArray(value)) return value.map(sortedMembers)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return Object.fromEntries(entries.map(([name, each]) => [name, each === undefined ? undefined : sortedMembers(each)]))
}
