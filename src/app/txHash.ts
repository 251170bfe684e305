import { sha256 } from '../crypto/hash.ts'
import { remembered } from '../data/remembered.ts'

/**
 * Returns the CometBFT hash of a transaction's bytes. Cached, because the mempool, blocks and
 * events use it.
 */
export const txHash = remembered(sha256)
