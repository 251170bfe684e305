/**
 * Binary strings: text whose every character is one byte (U+0000…U+00FF). They compare in byte
 * order with `<`, work as `Map` keys, and V8 keeps them one byte a character.
 */

// Node's own way from bytes to latin-1 takes any array of bytes. It is a third of the time of
// `String.fromCharCode`, and of making a Buffer over the bytes first: every access to a store pays
// for it.
const { latin1Slice } = Buffer.prototype

/** Returns the bytes, or those from `start` up to `end`, as a binary string. */
export function toBinaryString(bytes: Uint8Array, start = 0, end = bytes.length): string {
  return latin1Slice.call(bytes, start, end)
}

/** Returns the bytes of a binary string; of other characters the low byte. */
export function fromBinaryString(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}
