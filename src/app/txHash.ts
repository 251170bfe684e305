import { sha256 } from '../crypto/hash.ts'
import { remembered } from '../data/remembered.ts'

/** Returns the hash of a transaction's bytes, by which CometBFT knows it: mempool, block and events ask for it. */
export const txHash = remembered(sha256)
