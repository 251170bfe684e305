import { wordOf } from '../../data/bigEndian.ts'

/**
 * Returns the storage slot for a text, as geth's `common.HexToHash` does. It reads hex digits after
 * an optional `0x`, up to the first other character. The value is padded on the left or cropped to
 * 32 bytes; no text is refused.
 */
export function storageKey(given: string): Uint8Array {
  const digits = given.replace(/^0[xX]/, '')
  const valid = /^[0-9a-fA-F]*/.exec(digits.length % 2 === 0 ? digits : `0${digits}`)?.[0] ?? ''
  const even = valid.slice(0, valid.length - (valid.length % 2))
  return wordOf(BigInt(`0x${even.slice(-64) || '0'}`))
}
