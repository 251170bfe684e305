import { bech32 } from '@scure/base'
import { SimError, thrownText } from '../errors.ts'

/**
 * Returns bytes as bech32 text with a human-readable prefix (BIP-173), as Cosmos addresses are
 * spelled.
 */
export function bech32Of(prefix: string, bytes: Uint8Array): string {
  return bech32.encode(prefix, bech32.toWords(bytes), false)
}

/**
 * Returns prefix and bytes of a bech32 text. Throws `Bech32Error` when letters or checksum are
 * wrong.
 */
export function readBech32(text: string): { prefix: string; bytes: Uint8Array } {
  try {
    const { prefix, words } = bech32.decode(text as `${string}1${string}`, false)
    return { prefix, bytes: bech32.fromWords(words) }
  } catch (cause) {
    throw new Bech32Error(text, cause)
  }
}

/** A checksum that is wrong is told as cosmos/btcutil tells it. */
function reasonOf(text: string, cause: unknown): string {
  const reason = thrownText(cause)
  const expected = /^Invalid checksum in .*: expected "(\w+)"$/.exec(reason)?.[1]
  return expected === undefined
    ? reason
    : `invalid checksum (expected ${expected} got ${text.slice(-6)})`
}

/** Text that is no bech32. */
export class Bech32Error extends SimError {
  constructor(text: string, cause: unknown) {
    super('BAD_BECH32', `decoding bech32 failed: ${reasonOf(text, cause)}`, {
      hint: `Expected an address such as cosmos1…, received ${JSON.stringify(text.slice(0, 100))}.`,
      cause,
    })
  }
}
