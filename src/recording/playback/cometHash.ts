/** Hashes of what CometBFT RPC writes as base64. */
import { readBase64 } from '../../codec/base64.ts'
import { plainHexOf } from '../../codec/hex.ts'
import { sha256 } from '../../crypto/hash.ts'

/**
 * Returns the SHA-256 of bytes in base64, in lower-case hex: a hash of a Cosmos transaction; ''
 * for other text.
 */
export function sha256OfBase64(text: string): string {
  const bytes = readBase64(text)
  return typeof bytes === 'string' ? '' : plainHexOf(sha256(bytes))
}
