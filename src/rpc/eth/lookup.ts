/**
 * Finds blocks, states and transactions by the references of Ethereum JSON-RPC (`cosmos-evm-rpc.md`
 * §1.4).
 */
import type { EthereumView } from '../../app/ethereumView.ts'
import type { AppState } from '../../app/state.ts'
import type { BlockRecord, EthereumTx, ShownBlock } from '../../chain/block.ts'
import type { Chain } from '../../chain/chain.ts'
import { foldedAt, stateAt } from '../../chain/history.ts'
import { ethTxPlace, recordByEthHash } from '../../chain/lookups.ts'
import { pendingBlock, type PendingBlock } from '../../chain/pendingBlock.ts'
import { blockAt } from '../../chain/view.ts'
import type { BlockRef } from '../../codec/blockRef.ts'
import { hexOf } from '../../codec/hex.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import type { RpcError } from '../errors.ts'
import type { Context } from '../method.ts'
import { aboveHead, methodNotFound, serverError, type AboveHead } from './errors.ts'
import { isPending } from './params.ts'

/** A transaction and its block. */
export type Mined = { readonly record: ShownBlock; readonly tx: EthereumTx }

/**
 * Returns the application's Ethereum view. Throws "method not found" for applications without an
 * EVM.
 */
export function ethereumOf({ world, view }: Context): EthereumView {
  const ethereum = view ?? world.ethereum
  if (ethereum === undefined) throw methodNotFound('eth')
  return ethereum
}

/**
 * Returns the view for reads that execute nothing. Throws "method not found" for applications without
 * an EVM.
 */
export function stateViewOf({ world: { ethereum } }: Context): EthereumView {
  if (ethereum === undefined) throw methodNotFound('eth')
  return ethereum
}

/** Returns the block at a height. Throws CometBFT's error text for an unknown one. */
export function cometBlockAt({ node: { chain } }: Context, height: bigint): BlockRecord {
  const record = blockAt(chain, height)
  if (record !== undefined) return record
  throw height < chain.history.base ? notStored(chain, height) : serverError(aboveHead.comet(height, chain.height))
}

/** Returns the EVM chain id. */
export function chainIdOf(context: Context): bigint {
  return stateViewOf(context).params(context.node.chain.app).chainId
}

/** Returns the mined transaction with an Ethereum hash, or undefined. */
export function minedByHash(chain: Chain, hash: Uint8Array): Mined | undefined {
  const place = ethTxPlace(chain.history, hash)
  const record = place === undefined ? undefined : blockAt(chain, place.height)
  const tx = place === undefined ? undefined : record?.ethereum.transactions[place.index]
  return record === undefined || tx === undefined ? undefined : { record, tx }
}

/**
 * Returns the height of a block reference for block look-ups. Tags that follow the chain mean the
 * head, and 0 is the first block. Throws for an unknown hash and for an empty reference.
 */
export function heightOfRef({ chain }: { chain: Chain }, ref: BlockRef): bigint {
  switch (ref.kind) {
    case 'tag':
      return ref.tag === 'earliest' ? lowest(chain) : chain.height
    case 'height':
      return ref.height === 0n ? lowest(chain) : ref.height
    case 'none':
      throw serverError('types BlockHash and BlockNumber cannot be both nil')
    case 'hash': {
      const record = recordByEthHash(chain.history, ref.hash)
      if (record === undefined) throw serverError(`header not found for hash ${hexOf(ref.hash)}`)
      return record.block.header.height
    }
  }
}

// Before the first block, only the state after genesis exists.
function lowest({ history, height }: Chain): bigint {
  return height < history.base ? height : history.base
}

/** Returns the referenced block, or undefined if its height is not stored. */
export function blockOf(context: Context, ref: BlockRef): ShownBlock | undefined {
  return pendingOf(context, ref)?.shown ?? minedBlockOf(context, ref)
}

/** Returns the referenced mined block, the newest for `pending`; undefined if it is not stored. */
export function minedBlockOf({ node }: Context, ref: BlockRef): BlockRecord | undefined {
  return blockAt(node.chain, heightOfRef(node, ref))
}

/**
 * Returns the pending block if the reference means it and a block can be mined; otherwise
 * undefined.
 */
export function pendingOf({ world, node, caller }: Context, ref: BlockRef): PendingBlock | undefined {
  if (!isPending(ref) || hasQuirk(node.settings, 'pending-is-latest')) return undefined
  return pendingBlock(world, node.chain, caller.timeMs)
}

/**
 * Returns the referenced state, with the edits that an operator made before the next block. Tags that
 * follow the chain mean the newest state, and `pending` means the state after the pending block. Throws
 * above the head and below the first stored height.
 */
export function stateOfRef(context: Context, ref: BlockRef, above: AboveHead): AppState {
  const { node } = context
  const { chain } = node
  const pending = pendingOf(context, ref)
  if (pending !== undefined) return pending.state
  const follows = ref.kind === 'tag' && (ref.tag !== 'earliest' || hasQuirk(node.settings, 'earliest-is-latest-state'))
  const height = follows ? chain.height : heightOfRef(node, ref)
  if (height > chain.height) throw serverError(above(height, chain.height))
  return editedState(chain, height)
}

/**
 * Returns the state after a height with the edits that an operator made before the next block. Throws if
 * it is not stored.
 */
export function editedState(chain: Chain, height: bigint): AppState {
  if (height === chain.height) return chain.app
  const state = committedState(chain, height)
  const edits = foldedAt(chain.history, height + 1n)
  return edits === undefined ? state : { ...state, edits }
}

/** Returns the committed state after a height. Throws if it is not stored. */
export function committedState({ history }: Chain, height: bigint): AppState {
  const state = stateAt(history, height)
  if (state !== undefined) return state
  throw notStored({ history }, height)
}

/** Returns the error for a height below the first stored one. */
export function notStored({ history }: Pick<Chain, 'history'>, height: bigint): RpcError {
  return serverError(`height ${height} is not available, lowest height is ${history.base}`)
}
