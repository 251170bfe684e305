/**
 * By which hashes Ethereum JSON-RPC knows blocks: CometBFT's, unless its view alone was reorganised. No
 * CometBFT chain takes blocks back; clients of Ethereum must live with nodes that do.
 */
import { keccak256 } from '../crypto/hash.ts'
import { concatBytes, equalBytes } from '../data/bytes.ts'
import type { BlockRecord, ShownBlock } from './block.ts'
import type { Chain } from './chain.ts'
import { recordAt, withReplaced } from './history.ts'
import { checkDepth } from './rollback.ts'

/** Returns the hash of a block as Ethereum JSON-RPC knows it. */
export function ethHashOf({ id, ethereum }: ShownBlock): Uint8Array {
  return ethereum.ids?.hash ?? id.hash
}

/** Returns what a block points back to on Ethereum JSON-RPC; empty in the first one. */
export function ethParentOf({ block: { header }, ethereum }: ShownBlock): Uint8Array {
  return ethereum.ids?.parent ?? header.lastBlockId.hash
}

/** Returns the ids of a block made after `parent`, where they are not CometBFT's. */
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
 * Returns the chain whose newest blocks have other hashes on Ethereum JSON-RPC, with the same
 * transactions
 * in the same places: state is shared with CometBFT RPC, which sees nothing. Throws
 * `RollbackRefused`.
 */
export function withOtherEthHashes(chain: Chain, depth: bigint): Reorganised {
  checkDepth(chain, depth)
  const { history } = chain
  const lowest = chain.height - depth
  const old = Array.from({ length: Number(depth) }, (_, index) =>
    recordAt(history, lowest + 1n + BigInt(index)),
  ).filter((record) => record !== undefined)
  const below = recordAt(history, lowest)
  let parent = below === undefined ? new Uint8Array(32) : ethHashOf(below)
  const came = old.map((record): BlockRecord => {
    const ids = { hash: keccak256(concatBytes([parent, ethHashOf(record)])), parent }
    parent = ids.hash
    return { ...record, ethereum: { ...record.ethereum, ids } }
  })
  return { chain: { ...chain, history: withReplaced(history, came) }, gone: old.toReversed(), came }
}
