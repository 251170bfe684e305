import { ECDH } from 'node:crypto'

/** Returns whether 33 bytes are a compressed point of the curve P-256. */
export function isR1Point(bytes: Uint8Array): boolean {
  try {
    ECDH.convertKey(bytes, 'prime256v1')
    return true
  } catch {
    return false
  }
}
