/**
 * How much of its past a chain keeps (cosmos-sdk baseapp `GetBlockRetentionHeight`, store/pruning).
 */
import type { Chain } from './chain.ts'
import { pruned, statesPruned, type History } from './history.ts'

/**
 * `blocks` to keep, 0 for all; `states` to keep besides the latest, dropped every `interval`
 * blocks, or undefined for all; `isIndexed` whether what is in blocks can be searched, also when
 * they are gone.
 */
export type Retention = {
  readonly blocks: bigint
  readonly states: { readonly recent: bigint; readonly interval: bigint } | undefined
  readonly isIndexed: boolean
}

/** What a chain keeps unless it is told otherwise: everything. */
export const keepsAll: Retention = { blocks: 0n, states: undefined, isIndexed: true }

/** Returns the history without what need not be kept after the chain's latest block. */
export function retained(retention: Retention, chain: Chain, history: History): History {
  const blockFloor = retainHeight(retention, chain)
  const withBlocks = blockFloor === undefined ? history : pruned(history, blockFloor, retention)
  const stateFloor = firstState(retention, chain.height)
  return stateFloor === undefined ? withBlocks : statesPruned(withBlocks, stateFloor)
}

/** Evidence may name blocks up to its greatest age, so these are kept too. */
function retainHeight(
  { blocks }: Retention, { height, consensusParams: { evidence } }: Chain,
): bigint | undefined {
  if (blocks === 0n) return undefined
  const kept = evidence.maxAgeBlocks > blocks ? evidence.maxAgeBlocks : blocks
  return height > kept ? height - kept : undefined
}

function firstState({ states }: Retention, height: bigint): bigint | undefined {
  if (states === undefined || states.interval === 0n) return undefined
  return height % states.interval !== 0n || height <= states.recent
    ? undefined
    : height - states.recent
}
