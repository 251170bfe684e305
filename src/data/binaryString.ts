/**
 * Binary strings: text whose every character is one byte (U+0000…U+00FF). They compare in byte
 * order with `<`, work as `Map` keys, and V8 keeps them one byte a character.
 */

/** Above this `fromCharCode.apply` could exceed the engine's limit of arguments. */
const chunkLength = 4096

/** Returns the bytes as a binary string. */
export function toBinaryString(bytes: Uint8Array): string {
  if (bytes.length <= chunkLength) return String.fromCharCode.apply(null, asNumbers(bytes))
  let text = ''
  for (let i = 0; i < bytes.length; i += chunkLength) {
    text += String.fromCharCode.apply(null, asNumbers(bytes.subarray(i, i + chunkLength)))
  }
  return text
}

/** Returns the bytes of a binary string; of other characters the low byte. */
export function fromBinaryString(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}

// `apply` takes any array-like; its type asks for number[], which would cost a copy.
function asNumbers(bytes: Uint8Array): number[] {
  return bytes as unknown as number[]
}
