/**
 * Binary strings: each character is one byte (U+0000…U+00FF). They compare in byte order with `<`,
 * work as `Map` keys, and V8 stores them in one byte per character.
 */

// Node's conversion from bytes to latin-1 accepts any byte array. Every store access uses it: it
// takes a third of the time of `String.fromCharCode`, or of wrapping the bytes in a Buffer first.
const { latin1Slice } = Buffer.prototype

/**
 * Returns the bytes from `start` to `end` (exclusive) as a binary string; all of them by default.
 */
export function toBinaryString(bytes: Uint8Array, start = 0, end = bytes.length): string {
  return latin1Slice.call(bytes, start, end)
}

/** Returns the bytes of a binary string; of characters above U+00FF, the low byte. */
export function fromBinaryString(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}

/** Writes the bytes of a binary string at an offset and returns the offset after them. */
export function putBinaryString(target: Uint8Array, offset: number, text: string): number {
  const { length } = text
  for (let i = 0; i < length; i++) target[offset + i] = text.charCodeAt(i)
  return offset + length
}
