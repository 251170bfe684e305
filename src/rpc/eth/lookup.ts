/**
 * Finds blocks, states and transactions by what Ethereum JSON-RPC names them with (`cosmos-evm-rpc.md`
 * §1.4).
 */
import type { EthereumView } from '../../app/ethereumView.ts'
import type { AppState } from '../../app/state.ts'
import type { BlockRecord, EthereumTx, ShownBlock } from '../../chain/block.ts'
import type { Chain } from '../../chain/chain.ts'
import { ethTxPlace, recordByEthHash, stateAt } from '../../chain/history.ts'
import { pendingBlock, type PendingBlock } from '../../chain/pendingBlock.ts'
import { blockAt } from '../../chain/view.ts'
import type { BlockRef } from '../../codec/blockRef.ts'
import { hexOf } from '../../codec/hex.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import type { Context } from '../method.ts'
import { methodNotFound, serverError, type AboveHead } from './errors.ts'

/** A transaction in its block. */
export type Mined = { readonly record: ShownBlock; readonly tx: EthereumTx }

/** Returns the view of an application with an EVM; without one no method of `eth` exists. */
export function ethereumOf({ world, view = world.ethereum }: Context, method = 'eth'): EthereumView {
  if (view === undefined) throw methodNotFound(method)
  return view
}

/** Returns the included transaction with an Ethereum hash, or undefined. */
export function minedByHash(chain: Chain, hash: Uint8Array): Mined | undefined {
  const place = ethTxPlace(chain.history, hash)
  const record = place === undefined ? undefined : blockAt(chain, place.height)
  const tx = place === undefined ? undefined : record?.ethereum.transactions[place.index]
  return record === undefined || tx === undefined ? undefined : { record, tx }
}

/**
 * Returns the height that a block reference means for looking up blocks: tags that follow the chain
 * are its head, 0 is the first block. Throws for a hash nobody knows and for nothing at all.
 */
export function heightOf({ chain }: { chain: Chain }, ref: BlockRef): bigint {
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

// Before the first block the state after genesis is all there is.
function lowest({ history, height }: Chain): bigint {
  return height < history.base ? height : history.base
}

/** Returns the block that is meant; undefined when the height is not held. */
export function blockOf(context: Context, ref: BlockRef): ShownBlock | undefined {
  return pendingOf(context, ref)?.shown ?? minedBlockOf(context, ref)
}

/** Returns the mined block that is meant, for `pending` the newest; undefined as `blockOf`. */
export function minedBlockOf({ node }: Context, ref: BlockRef): BlockRecord | undefined {
  return blockAt(node.chain, heightOf(node, ref))
}

/** Returns the pending block if it is meant; undefined where none can be mined. */
export function pendingOf({ world, node, caller }: Context, ref: BlockRef): PendingBlock | undefined {
  const isMeant = ref.kind === 'tag' && ref.tag === 'pending'
  if (!isMeant || hasQuirk(node.settings, 'pending-is-latest')) return undefined
  return pendingBlock(world, node.chain, caller.timeMs)
}

/**
 * Returns the state to read from: the newest one, operator edits included, for tags that follow the
 * chain; the one after the pending block for `pending`; the committed one of a height otherwise.
 * Throws above the head and below what is held.
 */
export function stateOf(context: Context, ref: BlockRef, above: AboveHead): AppState {
  const { node } = context
  const { chain } = node
  const pending = pendingOf(context, ref)
  if (pending !== undefined) return pending.state
  const follows = ref.kind === 'tag' && (ref.tag !== 'earliest' || hasQuirk(node.settings, 'earliest-is-latest-state'))
  if (follows) return chain.app
  const height = heightOf(node, ref)
  if (height > chain.height) throw serverError(above(height, chain.height))
  if (height === 0n) return chain.app
  return committedState(chain, height)
}

/** Returns the committed state after a height; throws when it is not held. */
export function committedState({ history }: Chain, height: bigint): AppState {
  const state = stateAt(history, height)
  if (state !== undefined) return state
  throw serverError(`height ${height} is not available, lowest height is ${history.base}`)
}
