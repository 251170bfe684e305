/**
 * JSON that loses nothing: objects are Maps, so key order survives, and numbers keep their
 * spelling.
 */
export class Num {
  readonly raw: string
  constructor(raw: string) {
    this.raw = raw
  }
}

export type Json = null | boolean | string | Num | Json[] | Map<string, Json>

const token = /\s*(?:([{}[\],:])|("(?:[^"\\]|\\.)*")|(true|false|null)|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?))/y

/** Returns the value of a JSON text; throws SyntaxError on anything else. */
export function parse(text: string): Json {
  token.lastIndex = 0
  const value = readValue(text, next(text))
  if (text.slice(token.lastIndex).trim() !== '') throw new SyntaxError('text after the value')
  return value
}

type Token = {
  mark?: string | undefined
  string?: string | undefined
  word?: string | undefined
  number?: string | undefined
}

function next(text: string): Token {
  const found = token.exec(text)
  if (found === null) throw new SyntaxError('not JSON')
  return { mark: found[1], string: found[2], word: found[3], number: found[4] }
}

function readValue(text: string, { mark, string, word, number }: Token): Json {
  if (string !== undefined) return JSON.parse(string) as string
  if (number !== undefined) return new Num(number)
  if (word !== undefined) return JSON.parse(word) as boolean | null
  if (mark === '[') return readList(text)
  if (mark === '{') return readMembers(text)
  throw new SyntaxError(`unexpected ${mark}`)
}

function readList(text: string): Json[] {
  const list: Json[] = []
  for (let one = next(text); one.mark !== ']'; one = next(text)) {
    list.push(readValue(text, one.mark === ',' ? next(text) : one))
  }
  return list
}

function readMembers(text: string): Map<string, Json> {
  const members = new Map<string, Json>()
  for (let one = next(text); one.mark !== '}'; one = next(text)) {
    const key = one.mark === ',' ? next(text) : one
    if (key.string === undefined || next(text).mark !== ':') throw new SyntaxError('not a member')
    members.set(JSON.parse(key.string) as string, readValue(text, next(text)))
  }
  return members
}

/** Returns the part of a value at a path like `a.b[0].c`, or undefined. */
export function dig(value: Json | undefined, path: string): Json | undefined {
  let at = value
  for (const key of path.split(/[.[\]]+/).filter(Boolean)) {
    at = at instanceof Map ? at.get(key) : Array.isArray(at) ? at[Number(key)] : undefined
  }
  return at
}

/** Returns the plain JavaScript value; numbers become numbers. */
export function plain(value: Json | undefined): unknown {
  if (value instanceof Num) return Number(value.raw)
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([key, inner]) => [key, plain(inner)]))
  }
  return Array.isArray(value) ? value.map(plain) : value
}

/** Returns the text of a value, for messages. */
export function write(value: Json | undefined): string {
  if (value === undefined) return 'absent'
  if (value instanceof Num) return value.raw
  if (value instanceof Map)
    return `{${[...value].map(([key, inner]) => `${JSON.stringify(key)}:${write(inner)}`).join(',')}}`
  return Array.isArray(value) ? `[${value.map(write).join(',')}]` : JSON.stringify(value)
}

/** Returns a JavaScript value as this kind of JSON. */
export function toJson(value: unknown): Json {
  if (value instanceof Num || value instanceof Map || value === null) return value as Json
  if (Array.isArray(value)) return value.map(toJson)
  if (typeof value === 'object') {
    return new Map(
      Object.entries(value)
        .filter(([, inner]) => inner !== undefined)
        .map(([key, inner]) => [key, toJson(inner)]),
    )
  }
  return typeof value === 'number' ? new Num(String(value)) : (value as string | boolean)
}
