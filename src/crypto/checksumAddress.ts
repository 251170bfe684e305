/** Addresses as people read them (EIP-55). */
import { bytesOfDigits, plainHexOf } from '../codec/hex.ts'
import { rememberedBy } from '../data/remembered.ts'
import { keccak256 } from './hash.ts'

/**
 * Returns an address with its EIP-55 checksum in the letter case. Recent results are cached, because
 * events repeat the same few addresses.
 */
export const checksumAddress = rememberedBy(plainHexOf, (_: Uint8Array, digits) => {
  const digest = plainHexOf(keccak256(Buffer.from(digits, 'latin1')))
  let out = '0x'
  for (let at = 0; at < digits.length; at += 1) {
    const digit = digits.charAt(at)
    out += digest.charAt(at) >= '8' ? digit.toUpperCase() : digit
  }
  return out
})

/** Returns whether a text is an address with its checksum. */
export function isChecksummed(spelled: string): boolean {
  const address = /^0x[\da-fA-F]{40}$/.test(spelled) ? bytesOfDigits(spelled.slice(2)) : undefined
  return address !== undefined && checksumAddress(address) === spelled
}
