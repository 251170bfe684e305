/**
 * The pending block: the block that would be mined now with the waiting transactions. It is
 * executed on request and its changes are discarded.
 */
import type { AppState } from '../app/state.ts'
import { compareTime } from '../data/time.ts'
import type { ShownBlock } from './block.ts'
import type { Chain, ChainWorld } from './chain.ts'
import { nextBlockTime } from './clock.ts'
import { ethereumBlock } from './ethereumBlock.ts'
import { propose } from './produceBlock.ts'

export type PendingBlock = { readonly shown: ShownBlock; readonly state: AppState }

/**
 * Returns the pending block at simulation time `nowMs`, and the state after it. On a wall clock,
 * its timestamp is rounded down to a second. Returns undefined if no block can be mined: without an
 * EVM, without a quorum of validators, or while an upgrade halts the chain.
 */
export function pendingBlock(world: ChainWorld, chain: Chain, nowMs: bigint): PendingBlock | undefined {
  const making = { nowMs: nowMs - (nowMs % 1000n) }
  const known = latest.get(chain)
  const isCurrent =
    known !== undefined && compareTime(known.shown.block.header.time, nextBlockTime(chain, making.nowMs)) === 0
  if (isCurrent) return known
  const made = execute(world, chain, making)
  // A fork reads state that is not yet fetched as absent, so such a block is not cached.
  const isWhole = (chain.app.forked?.wanted.size ?? 0) === 0
  if (made !== undefined && isWhole) latest.set(chain, made)
  return made
}

/** Cached by chain, whose identity changes with the mempool and every other part. */
const latest = new WeakMap<Chain, PendingBlock>()

function execute(world: ChainWorld, chain: Chain, making: { readonly nowMs: bigint }): PendingBlock | undefined {
  const { ethereum: view } = world
  const proposed = view === undefined ? undefined : propose(world, chain, making)
  if (view === undefined || proposed === undefined) return undefined
  const { block, request } = proposed
  const { state, txResults } = view.preview(chain.app, request)
  const { hash } = request
  return {
    state,
    shown: { id: { hash }, block, ethereum: ethereumBlock(view, chain, { block, hash, results: txResults, state }) },
  }
}
