/** Questions at a height, with CometBFT's rules and texts (`comet-rpc.md` §1.2). */
import { SimError } from '../errors.ts'
import type { BlockRecord } from './block.ts'
import type { Chain } from './chain.ts'
import { recordAt } from './history.ts'

/** Returns the height asked for, or the latest; throws `HeightRefused` with CometBFT's text. */
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

/** Returns the record of a height, or undefined for a height without one. */
export function blockAt(chain: Chain, height: bigint): BlockRecord | undefined {
  return recordAt(chain.history, height)
}

/** Returns the latest record, or undefined before the first block. */
export function latestBlock(chain: Chain): BlockRecord | undefined {
  return recordAt(chain.history, chain.height)
}

/** A height that the chain cannot answer for. */
export class HeightRefused extends SimError {
  constructor(message: string) {
    super('HEIGHT_REFUSED', message)
  }
}
