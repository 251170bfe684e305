import { sha256Hex } from '../crypto/hash.ts'
import { detached } from '../data/detached.ts'

/** Maximum length of a key, in characters: clients choose how long their calls and headers are. */
const keyMost = 1024

/** Returns a text as a key of a map that many calls stay in: the SHA-256 digest of a long text. */
export function shortKey(text: string): string {
  return text.length > keyMost ? sha256Hex(text) : detached(text)
}
