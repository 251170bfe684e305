/**
 * Returns a byte as Go's JSON scanner prints it: in single quotes, as the character with that code.
 * The first byte of `é` is printed as `'Ã'` (Go encoding/json quoteChar).
 */
export function quoteByte(byte: number): string {
  if (byte === 0x27) return "'\\''"
  if (byte === 0x22) return `'"'`
  return `'${goQuote(String.fromCharCode(byte)).slice(1, -1)}'`
}

/** Returns a text as Go's `%q` prints it: quoted, with unprintable characters escaped. */
export function goQuote(text: string): string {
  let out = '"'
  for (const character of text) out += quoteCharacter(character)
  return `${out}"`
}

/** Returns a number as Go's `%v` prints a float64: 1000000 is `1e+06`. */
export function goFloat(value: number): string {
  const [digits = '', power = ''] = value.toExponential().split('e')
  const exponent = Number(power)
  if (exponent >= -4 && exponent < 6) return Object.is(value, -0) ? '-0' : String(value)
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}

/**
 * Returns a text or bytes as protobuf's text format quotes them. Bytes that are not printable ASCII are octal:
 * `é` is `"\303\251"` (gogoproto text.go writeString).
 */
export function protoQuote(value: string | Uint8Array): string {
  let out = '"'
  for (const byte of typeof value === 'string' ? new TextEncoder().encode(value) : value) out += protoByte(byte)
  return `${out}"`
}

function protoByte(byte: number): string {
  const character = String.fromCharCode(byte)
  if (byte >= 0x20 && byte < 0x7f) return character === '"' || character === '\\' ? `\\${character}` : character
  if (character === '\n' || character === '\r' || character === '\t') return shortEscapes[character] ?? ''
  return `\\${byte.toString(8).padStart(3, '0')}`
}

const shortEscapes: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
}

function quoteCharacter(character: string): string {
  const short = shortEscapes[character]
  if (short !== undefined) return short
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`
  if (isPrintable(character)) return character
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}

/**
 * Returns whether Go's strconv prints a character unescaped: letters, marks, numbers, punctuation,
 * symbols and the space.
 */
export function isPrintable(character: string): boolean {
  return character === ' ' || /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(character)
}

/**
 * Returns the text of a Go string with these bytes. An invalid UTF-8 byte becomes a lone low
 * surrogate (U+DC00 + byte). No valid text contains one, and `writeJson` writes it as `\ufffd`.
 */
export function goText(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')
  if (!text.includes('\ufffd')) return text
  let out = ''
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at)
    if (length === 0) out += String.fromCharCode(0xdc00 + (bytes[at] ?? 0))
    else out += Buffer.from(bytes.subarray(at, at + length)).toString('utf8')
    at += Math.max(length, 1)
  }
  return out
}

// The sequence is valid if decoding and re-encoding it returns the same bytes.
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0
  const length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0
  if (length <= 1) return length
  const sequence = Buffer.from(bytes.subarray(at, at + length))
  const back = Buffer.from(sequence.toString('utf8'))
  return sequence.length === length && back.equals(sequence) ? length : 0
}

/** Returns the Go name of a member: `validator_address` becomes `ValidatorAddress`. */
export function goNameOf(member: string): string {
  return member
    .split('_')
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join('')
}
