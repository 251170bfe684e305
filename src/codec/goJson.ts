import { SimError } from '../errors.ts'
import { quoteByte } from './goText.ts'

/**
 * A JSON value as written. `type` is Go's word for its kind in errors. `raw` is the source text
 * without surrounding whitespace, so numbers, IDs and escapes keep their spelling.
 */
export type Json = JsonNull | JsonBool | JsonNumber | JsonString | JsonArray | JsonObject

export type JsonNull = { readonly type: 'null'; readonly raw: string }
export type JsonBool = { readonly type: 'bool'; readonly raw: string; readonly value: boolean }
export type JsonNumber = { readonly type: 'number'; readonly raw: string }
export type JsonString = { readonly type: 'string'; readonly raw: string; readonly value: string }
export type JsonArray = {
  readonly type: 'array'
  readonly raw: string
  readonly items: readonly Json[]
}

/**
 * Members in source order, including duplicates, which the reader resolves; in Go, the last wins.
 */
export type JsonObject = {
  readonly type: 'object'
  readonly raw: string
  readonly members: readonly JsonMember[]
}

export type JsonMember = readonly [name: string, value: Json]

type Scan = { readonly text: string; readonly stream: boolean; at: number }
type Frame = {
  readonly start: number
  readonly items: Json[]
  readonly members: JsonMember[] | undefined
  name: string
}

const depthMax = 10_000

/**
 * Returns the JSON value of the whole text. Throws `JsonSyntaxError` with the exact wording of Go's
 * `json.Unmarshal`.
 */
export function parseJson(text: string): Json {
  const scan = { text, stream: false, at: 0 }
  const value = parseTree(scan)
  skipBlanks(scan)
  if (scan.at < text.length) throw unexpected(scan, 'after top-level value')
  return value
}

/**
 * Returns the first JSON value of a text and its end offset, as Go's `json.Decoder` reads it. The
 * rest is ignored. Empty text fails with `EOF`, incomplete text with `unexpected EOF`
 * (corrections-a §A 7).
 */
export function parseJsonPrefix(text: string): { value: Json; end: number } {
  const scan = { text, stream: true, at: 0 }
  skipBlanks(scan)
  if (scan.at === text.length) throw new JsonSyntaxError('EOF', scan.at)
  return { value: parseTree(scan), end: scan.at }
}

// Open containers are kept in an explicit list: ten thousand levels would overflow the call stack.
function parseTree(scan: Scan): Json {
  const frames: Frame[] = []
  let value = beginValue(scan, frames)
  for (;;) {
    const top = frames[frames.length - 1]
    if (value === undefined) value = beginValue(scan, frames)
    else if (top === undefined) return value
    else value = endValue(scan, frames, value)
  }
}

function beginValue(scan: Scan, frames: Frame[]): Json | undefined {
  skipBlanks(scan)
  const start = scan.at
  const code = scan.text.charCodeAt(start)
  switch (code) {
    case 0x22: {
      const value = scanString(scan)
      return { type: 'string', raw: scan.text.slice(start, scan.at), value }
    }
    case 0x7b:
      return openObject(scan, frames)
    case 0x5b:
      return openArray(scan, frames)
    case 0x74:
      return { type: 'bool', raw: scanWord(scan, 'true'), value: true }
    case 0x66:
      return { type: 'bool', raw: scanWord(scan, 'false'), value: false }
    case 0x6e:
      return { type: 'null', raw: scanWord(scan, 'null') }
  }
  if (code === 0x2d || isDigit(code)) return { type: 'number', raw: scanNumber(scan) }
  throw unexpected(scan, 'looking for beginning of value')
}

function openObject(scan: Scan, frames: Frame[]): Json | undefined {
  const frame = open(scan, frames, [])
  if (scan.text.charCodeAt(scan.at) === 0x7d) return close(scan, frames)
  frame.name = scanName(scan)
  return undefined
}

function openArray(scan: Scan, frames: Frame[]): Json | undefined {
  open(scan, frames, undefined)
  return scan.text.charCodeAt(scan.at) === 0x5d ? close(scan, frames) : undefined
}

function open(scan: Scan, frames: Frame[], members: JsonMember[] | undefined): Frame {
  const frame = { start: scan.at, items: [], members, name: '' }
  if (frames.push(frame) > depthMax) throw new JsonSyntaxError('exceeded max depth', scan.at)
  scan.at += 1
  skipBlanks(scan)
  return frame
}

function close(scan: Scan, frames: Frame[]): Json | undefined {
  scan.at += 1
  const frame = frames.pop()
  if (frame === undefined) return undefined
  const raw = scan.text.slice(frame.start, scan.at)
  const { items, members } = frame
  return members === undefined ? { type: 'array', raw, items } : { type: 'object', raw, members }
}

function endValue(scan: Scan, frames: Frame[], value: Json): Json | undefined {
  const top = frames[frames.length - 1]
  if (top === undefined) return value
  const inObject = top.members !== undefined
  if (top.members === undefined) top.items.push(value)
  else top.members.push([top.name, value])
  skipBlanks(scan)
  const code = scan.text.charCodeAt(scan.at)
  if (code === (inObject ? 0x7d : 0x5d)) return close(scan, frames)
  if (code !== 0x2c) throw unexpected(scan, inObject ? 'after object key:value pair' : 'after array element')
  scan.at += 1
  if (inObject) top.name = scanName(scan)
  return undefined
}

function scanName(scan: Scan): string {
  skipBlanks(scan)
  if (scan.text.charCodeAt(scan.at) !== 0x22) {
    throw unexpected(scan, 'looking for beginning of object key string')
  }
  const name = scanString(scan)
  skipBlanks(scan)
  if (scan.text.charCodeAt(scan.at) !== 0x3a) throw unexpected(scan, 'after object key')
  scan.at += 1
  return name
}

function scanString(scan: Scan): string {
  const { text } = scan
  const start = scan.at
  let escaped = false
  // Most characters of a message are in strings, and a local variable is faster than a member.
  let at = start + 1
  for (; ; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x22) break
    if (code >= 0x20 && code !== 0x5c) continue
    scan.at = at
    if (code !== 0x5c) throw unexpected(scan, 'in string literal')
    escaped = true
    scanEscape(scan)
    at = scan.at
  }
  scan.at = at + 1
  if (!escaped) return text.slice(start + 1, scan.at - 1)
  const value: unknown = JSON.parse(text.slice(start, scan.at))
  // Go's JSON decoder replaces an unpaired surrogate with U+FFFD.
  return String(value).replace(/\p{Surrogate}/gu, '\ufffd')
}

function scanEscape(scan: Scan): void {
  scan.at += 1
  const code = scan.text[scan.at] ?? ''
  if (code === 'u') {
    for (let digit = 0; digit < 4; digit += 1) {
      scan.at += 1
      if (!/^[0-9a-fA-F]$/.test(scan.text[scan.at] ?? '')) {
        throw unexpected(scan, 'in \\u hexadecimal character escape', true)
      }
    }
  } else if (code === '' || !'"\\/bfnrt'.includes(code)) {
    throw unexpected(scan, 'in string escape code', true)
  }
}

function scanNumber(scan: Scan): string {
  const start = scan.at
  if (scan.text[scan.at] === '-') scan.at += 1
  if (scan.text[scan.at] === '0') scan.at += 1
  else scanDigits(scan, 'in numeric literal')
  if (scan.text[scan.at] === '.') {
    scan.at += 1
    scanDigits(scan, 'after decimal point in numeric literal')
  }
  if (scan.text[scan.at] === 'e' || scan.text[scan.at] === 'E') {
    scan.at += 1
    if (scan.text[scan.at] === '+' || scan.text[scan.at] === '-') scan.at += 1
    scanDigits(scan, 'in exponent of numeric literal')
  }
  return scan.text.slice(start, scan.at)
}

function scanDigits(scan: Scan, context: string): void {
  const start = scan.at
  while (isDigit(scan.text.charCodeAt(scan.at))) scan.at += 1
  if (scan.at === start) throw unexpected(scan, context, true)
}

function scanWord(scan: Scan, word: string): string {
  for (const letter of word) {
    if (scan.text[scan.at] !== letter) {
      throw unexpected(scan, `in literal ${word} (expecting '${letter}')`, true)
    }
    scan.at += 1
  }
  return word
}

function skipBlanks(scan: Scan): void {
  for (;;) {
    const code = scan.text.charCodeAt(scan.at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
    scan.at += 1
  }
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

// At the end of its input, Go's scanner takes one more step with a space, which most states skip.
// `seesBlank` marks the states that report the space instead.
function unexpected(scan: Scan, context: string, seesBlank = false): JsonSyntaxError {
  const { text, at, stream } = scan
  const ended = at >= text.length
  if (ended && stream) return new JsonSyntaxError('unexpected EOF', at)
  if (ended && !seesBlank) return new JsonSyntaxError('unexpected end of JSON input', at)
  const code = ended ? 0x20 : (text.codePointAt(at) ?? 0)
  // A lone surrogate is an invalid byte (see `goText`).
  const byte = code >= 0xdc80 && code <= 0xdcff ? code - 0xdc00 : (Buffer.from(String.fromCodePoint(code))[0] ?? 0)
  return new JsonSyntaxError(`invalid character ${quoteByte(byte)} ${context}`, at)
}

/** Invalid JSON; `message` is the error text of Go's encoding/json. */
export class JsonSyntaxError extends SimError {
  readonly offset: number

  constructor(text: string, offset: number) {
    super('BAD_JSON', text, { hint: `The JSON text breaks at character ${offset}.` })
    this.offset = offset
  }
}
