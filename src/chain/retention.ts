/** Prunes old blocks and states (cosmos-sdk baseapp `GetBlockRetentionHeight`, store/pruning). */
import { unlessRefused } from '../errors.ts'
import type { Chain } from './chain.ts'
import { pruned, statesPruned, type Retention } from './history.ts'
import type { History } from './indexing.ts'

/**
 * Returns the history without the blocks and states that `retention` no longer requires after the
 * latest block.
 */
export function retained(retention: Retention, chain: Chain, history: History): History {
  const blockFloor = retainHeight(retention, chain)
  const withBlocks = blockFloor === undefined ? history : prunedIfReadable(history, blockFloor, retention)
  const stateFloor = firstState(retention, chain.height)
  return stateFloor === undefined ? withBlocks : statesPruned(withBlocks, stateFloor)
}

/** Returns the history without the blocks below a height, or as it is if the file of one is damaged: the chain goes on. */
function prunedIfReadable(history: History, floor: bigint, retention: Retention): History {
  return unlessRefused(() => pruned(history, floor, retention)) ?? history
}

/**
 * Returns the lowest block to keep. Evidence may refer to blocks up to its maximum age, so these
 * are kept too.
 */
function retainHeight({ blocks }: Retention, { height, consensusParams: { evidence } }: Chain): bigint | undefined {
  if (blocks === 0n) return undefined
  const kept = evidence.maxAgeBlocks > blocks ? evidence.maxAgeBlocks : blocks
  return height > kept ? height - kept : undefined
}

function firstState({ states }: Retention, height: bigint): bigint | undefined {
  if (states === undefined || states.interval === 0n) return undefined
  return height % states.interval !== 0n || height <= states.recent ? undefined : height - states.recent
}
