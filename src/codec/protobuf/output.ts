/**
 * The buffer into which messages are encoded. All messages share it, the inner ones behind the outer
 * ones, so a message allocates only its final bytes. A length is written after its content is known:
 * one byte is left free for it, and content of 128 bytes or more is moved to make room.
 */
import { utf8Of } from '../../data/utf8.ts'
import { maxVarintLength, writeUvarint } from '../../data/varint.ts'

const firstLength = 1 << 12
/** A buffer that grew larger for one message is dropped. */
const keptMost = 1 << 20

let bytes = new Uint8Array(firstLength)
let end = 0

/**
 * Returns the bytes that `write` appends. Calls may nest. If it throws, what it appended is dropped.
 */
export function encoded<Value>(write: (value: Value) => void, value: Value): Uint8Array {
  const start = end
  try {
    write(value)
    return bytes.slice(start, end)
  } finally {
    end = start
    if (start === 0 && bytes.length > keptMost) bytes = new Uint8Array(firstLength)
  }
}

function reserve(count: number): void {
  if (end + count <= bytes.length) return
  const larger = new Uint8Array(Math.max(2 * bytes.length, end + count))
  larger.set(bytes.subarray(0, end))
  bytes = larger
}

/** Appends bytes unchanged. */
export function putBytes(value: Uint8Array): void {
  const { length } = value
  reserve(length)
  if (length > 64) bytes.set(value, end)
  // For few bytes, a loop is faster.
  else for (let at = 0; at < length; at++) bytes[end + at] = value[at] ?? 0
  end += length
}

/** Appends the UTF-8 bytes of a text. */
export function putText(text: string): void {
  const { length } = text
  reserve(length)
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at)
    if (code > 127) return putBytes(utf8Of(text))
    bytes[end + at] = code
  }
  end += length
}

/** Appends an unsigned varint of at most 53 bits. */
export function putLength(value: number): void {
  reserve(maxVarintLength)
  end = writeUvarint(bytes, end, value)
}

const shortEnd = 1n << 53n

/** Appends an integer as a varint; a negative one takes ten bytes, as int64 does. */
export function putVarint(value: bigint): void {
  if (value >= 0n && value < shortEnd) return putLength(Number(value))
  reserve(10)
  let rest = BigInt.asUintN(64, value)
  while (rest >= 0x80n) {
    bytes[end++] = Number(rest & 0x7fn) | 0x80
    rest >>= 7n
  }
  bytes[end++] = Number(rest)
}

/** Appends content that `put` writes, after its length. */
export function putSized<Value>(put: (value: Value) => void, value: Value): void {
  reserve(1)
  const start = ++end
  put(value)
  const length = end - start
  if (length < 0x80) {
    bytes[start - 1] = length
    return
  }
  const more = length < 1 << 14 ? 1 : length < 1 << 21 ? 2 : length < 1 << 28 ? 3 : 4
  reserve(more)
  bytes.copyWithin(start + more, start, end)
  end = start - 1
  putLength(length)
  end += length
}

/** Writes a value's content to the buffer, as the function `content` of its type returns it. */
type Put = (value: never) => void

// The key is the content function: a type made from another one may have a content function of its own.
const puts = new WeakMap<object, Put>()

/** Returns a content function that encodes what `put` writes, and makes `putOf` find it. */
export function contentOf<Value>(put: (value: Value) => void): (value: Value) => Uint8Array {
  const content = (value: Value) => encoded(put, value)
  puts.set(content, put)
  return content
}

/** Returns the function that writes what a content function returns. */
export function putOf<Value>(content: (value: Value) => Uint8Array): (value: Value) => void {
  const known = puts.get(content) as ((value: Value) => void) | undefined
  return known ?? ((value) => putBytes(content(value)))
}
