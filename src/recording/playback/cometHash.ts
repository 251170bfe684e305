/** Hashes data that CometBFT RPC encodes as base64. */
import { readBase64 } from '../../codec/base64.ts'
import { plainHexOf } from '../../codec/hex.ts'
import { sha256 } from '../../crypto/hash.ts'

/**
 * Returns the SHA-256 of base64 data in lowercase hex, or `''` if the text is not base64. For the
 * bytes of a Cosmos transaction, this is its hash.
 */
export function sha256OfBase64(text: string): string {
  const bytes = readBase64(text)
  return typeof bytes === 'string' ? '' : plainHexOf(sha256(bytes))
}
