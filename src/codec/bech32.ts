import { bytesOfDigits } from './hex.ts'
import { bech32 } from '@scure/base'
import { utf8Of } from '../data/utf8.ts'
import { SimError, thrownText } from '../errors.ts'

/**
 * Returns bytes as bech32 text with a human-readable prefix (BIP-173), the form of Cosmos
 * addresses.
 */
export function bech32Of(prefix: string, bytes: Uint8Array): string {
  return bech32.encode(prefix, bech32.toWords(bytes), false)
}

/**
 * Returns bytes as cosmos/btcutil writes them, with any prefix, even one that BIP-173 forbids. The
 * prefix is converted to lower case, and its UTF-8 bytes enter the checksum. Example: `ab c` and 20
 * bytes give `ab c1…` with 32 letters and a checksum of 6.
 */
export function anyBech32Of(prefix: string, bytes: Uint8Array): string {
  const lower = Array.from(prefix, (letter) => [...letter.toLowerCase()][0]).join('')
  const words = bech32.toWords(bytes)
  const ofPrefix = utf8Of(lower)
  const checked = [
    ...Array.from(ofPrefix, (byte) => byte >> 5),
    0,
    ...Array.from(ofPrefix, (byte) => byte & 31),
    ...words,
    0,
    0,
    0,
    0,
    0,
    0,
  ]
  const sum = checked.reduce(checksumStep, 1) ^ 1
  const checksum = [25, 20, 15, 10, 5, 0].map((shift) => (sum >> shift) & 31)
  return `${lower}1${[...words, ...checksum].map((word) => alphabet[word]).join('')}`
}

const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]

/** Runs one step of BIP-173's checksum, which shifts 30 bits left by 5. */
function checksumStep(sum: number, word: number): number {
  const top = sum >> 25
  return generators.reduce(
    (next, generator, bit) => (((top >> bit) & 1) === 1 ? next ^ generator : next),
    ((sum & 0x1ffffff) << 5) ^ word,
  )
}

/**
 * Returns the prefix and bytes of a bech32 text in lower or upper case. Throws `Bech32Error` with
 * the error text of the node's library (cosmos/btcutil).
 */
export function readBech32(text: string): { prefix: string; bytes: Uint8Array } {
  const wrong = wrongIn(text)
  if (wrong !== undefined) throw new Bech32Error(text, wrong)
  try {
    const { prefix, words } = bech32.decode(text as `${string}1${string}`, false)
    return { prefix, bytes: bytesOf(text, words) }
  } catch (cause) {
    if (cause instanceof Bech32Error) throw cause
    throw new Bech32Error(text, checksumReason(text, cause), cause)
  }
}

const longest = 1023
const shortest = 8

/** Most texts: a prefix without upper-case letters, the last `1`, six letters or more of the alphabet. */
const wellFormed = new RegExp(`^[!-@[-~]+1[${alphabet}]{6,}$`)

/**
 * Returns the first error found before the checksum, checked in the order of the node's library.
 */
function wrongIn(text: string): string | undefined {
  if (text.length <= longest && wellFormed.test(text)) return undefined
  const bytes = new TextEncoder().encode(text)
  if (bytes.length > longest || bytes.length < shortest) {
    return `invalid bech32 string length ${bytes.length}`
  }
  const odd = bytes.find((byte) => byte < 33 || byte > 126)
  if (odd !== undefined) return `invalid character in string: '${String.fromCharCode(odd)}'`
  const lower = text.toLowerCase()
  if (text !== lower && text !== text.toUpperCase()) {
    return 'string not all lowercase or all uppercase'
  }
  const separator = text.lastIndexOf('1')
  if (separator < 1 || separator + 7 > text.length) return `invalid separator index ${separator}`
  const stranger = [...lower.slice(separator + 1)].find((letter) => !alphabet.includes(letter))
  if (stranger === undefined) return undefined
  return `invalid character not part of charset: ${stranger.charCodeAt(0)}`
}

function checksumReason(text: string, cause: unknown): string {
  const reason = thrownText(cause)
  const expected = /^Invalid checksum in .*: expected "(\w+)"$/.exec(reason)?.[1]
  return expected === undefined ? reason : `invalid checksum (expected ${expected} got ${text.slice(-6).toLowerCase()})`
}

/** Returns the bytes of five-bit words; bits left over after the last whole byte must be zero. */
function bytesOf(text: string, words: number[]): Uint8Array {
  try {
    return bech32.fromWords(words)
  } catch (cause) {
    throw new Bech32Error(text, 'invalid incomplete group', cause)
  }
}

/**
 * Returns the 20 bytes of an address as hex or as bech32 with any prefix; undefined for other text.
 */
export function addressBytes(text: string): Uint8Array | undefined {
  if (/^0x[\da-fA-F]{40}$/.test(text)) return bytesOfDigits(text.slice(2))
  try {
    const { bytes } = readBech32(text)
    return bytes.length === 20 ? bytes : undefined
  } catch (error) {
    if (error instanceof Bech32Error) return undefined
    throw error
  }
}

/** An invalid bech32 text. */
export class Bech32Error extends SimError {
  constructor(text: string, reason: string, cause?: unknown) {
    super('BAD_BECH32', `decoding bech32 failed: ${reason}`, {
      hint: `Expected an address such as cosmos1…, received ${JSON.stringify(text.slice(0, 100))}.`,
      cause,
    })
  }
}
