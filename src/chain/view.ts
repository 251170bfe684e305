/** Block lookups by height, with CometBFT's rules and error texts (`comet-rpc.md` §1.2). */
import { SimError } from '../errors.ts'
import type { BlockRecord } from './block.ts'
import type { Chain } from './chain.ts'
import { recordAt } from './history.ts'

/**
 * Returns the requested height, or the latest if none is given. Throws `HeightRefused` with
 * CometBFT's text.
 */
export function resolveHeight(chain: Chain, height: bigint | undefined, latest: bigint = chain.height): bigint {
  if (height === undefined) return latest
  if (height <= 0n) throw new HeightRefused(`height must be greater than 0, but got ${height}`)
  if (height > latest) {
    throw new HeightRefused(`height ${height} must be less than or equal to the current blockchain height ${latest}`)
  }
  const { base } = chain.history
  if (height < base) {
    throw new HeightRefused(`height ${height} is not available, lowest height is ${base}`)
  }
  return height
}

/** Returns the record of a height, or undefined if the chain has none. */
export function blockAt(chain: Chain, height: bigint): BlockRecord | undefined {
  return recordAt(chain.history, height)
}

/** Returns the latest record, or undefined before the first block. */
export function latestBlock(chain: Chain): BlockRecord | undefined {
  return recordAt(chain.history, chain.height)
}

/** The requested height is invalid, in the future or pruned. */
export class HeightRefused extends SimError {
  constructor(message: string) {
    super('HEIGHT_REFUSED', message)
  }
}
