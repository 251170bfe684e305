/**
 * Block hashes on Ethereum JSON-RPC. They are CometBFT's, except after a reorg on Ethereum JSON-RPC
 * alone, which tests clients' reorg handling: CometBFT blocks are final.
 */
import { keccak256 } from '../crypto/hash.ts'
import { concatBytes, equalBytes } from '../data/bytes.ts'
import type { BlockRecord, ShownBlock } from './block.ts'
import type { Chain } from './chain.ts'
import { recordAt, withReplaced } from './history.ts'
import { checkDepth, newestBlocks } from './rollback.ts'

/** Returns a block's hash on Ethereum JSON-RPC. */
export function ethHashOf({ id, ethereum }: ShownBlock): Uint8Array {
  return ethereum.ids?.hash ?? id.hash
}

/** Returns a block's parent hash on Ethereum JSON-RPC; empty for the first block. */
export function ethParentOf({ block: { header }, ethereum }: ShownBlock): Uint8Array {
  return ethereum.ids?.parent ?? header.lastBlockId.hash
}

/** Returns the hashes of a block mined after `parent`, if they differ from CometBFT's. */
export function idsAfter(parent: BlockRecord | undefined, hash: Uint8Array): Pick<BlockRecord['ethereum'], 'ids'> {
  const ids = parent?.ethereum.ids
  const isOwn = parent === undefined || ids === undefined || equalBytes(ids.hash, parent.id.hash)
  return isOwn ? {} : { ids: { hash, parent: ethHashOf(parent) } }
}

export type Reorganised = {
  readonly chain: Chain
  /** Newest first. */
  readonly gone: readonly BlockRecord[]
  /** Oldest first. */
  readonly came: readonly BlockRecord[]
}

/**
 * Returns the chain with new hashes for its newest `depth` blocks on Ethereum JSON-RPC.
 * Transactions and their places stay, because both interfaces share the state; CometBFT RPC does
 * not change. Throws `RollbackRefused`.
 */
export function withOtherEthHashes(chain: Chain, depth: bigint): Reorganised {
  checkDepth(chain, depth)
  const { history } = chain
  const gone = newestBlocks(chain, depth)
  const below = recordAt(history, chain.height - depth)
  let parent = below === undefined ? new Uint8Array(32) : ethHashOf(below)
  const came = gone.toReversed().map((record): BlockRecord => {
    const ids = { hash: keccak256(concatBytes([parent, ethHashOf(record)])), parent }
    parent = ids.hash
    return { ...record, ethereum: { ...record.ethereum, ids } }
  })
  return { chain: { ...chain, history: withReplaced(history, came) }, gone, came }
}
