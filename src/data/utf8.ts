/**
 * Text as UTF-8. Keys, denominations and addresses are short and ASCII: a loop encodes them in a
 * tenth of `TextEncoder`'s startup time.
 */
import { toBinaryString } from './binaryString.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Texts longer than this are faster with `TextEncoder`. */
const shortLength = 128

/** Returns the UTF-8 bytes of a text. */
export function utf8Of(text: string): Uint8Array {
  if (text.length > shortLength) return encoder.encode(text)
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 127) return encoder.encode(text)
    bytes[i] = code
  }
  return bytes
}

/** Returns the text of UTF-8 bytes; invalid bytes become U+FFFD, as with `TextDecoder`. */
export function textOfUtf8(bytes: Uint8Array): string {
  if (bytes.length > shortLength) return decoder.decode(bytes)
  for (let i = 0; i < bytes.length; i++) {
    if ((bytes[i] ?? 0) > 127) return decoder.decode(bytes)
  }
  return toBinaryString(bytes)
}
