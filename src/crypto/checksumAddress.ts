/** Addresses as people read them (EIP-55). */
import { plainHexOf } from '../codec/hex.ts'
import { keccak256 } from './hash.ts'

const checksummed = new Map<string, string>()
const checksummedMost = 10_000

/**
 * Returns an address with its EIP-55 checksum in the letter case. Recent results are cached, because
 * events repeat the same few addresses.
 */
export function checksumAddress(bytes: Uint8Array): string {
  const digits = plainHexOf(bytes)
  const known = checksummed.get(digits)
  if (known !== undefined) return known
  const text = checksummedDigits(digits)
  if (checksummed.size >= checksummedMost) checksummed.clear()
  checksummed.set(digits, text)
  return text
}

function checksummedDigits(digits: string): string {
  const digest = plainHexOf(keccak256(Buffer.from(digits, 'latin1')))
  let out = '0x'
  for (let at = 0; at < digits.length; at += 1) {
    const digit = digits.charAt(at)
    out += digest.charAt(at) >= '8' ? digit.toUpperCase() : digit
  }
  return out
}
