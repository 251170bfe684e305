/**
 * Removes the newest blocks of a chain. CometBFT blocks are final; this exists to test Ethereum
 * clients, which must handle reorgs.
 */
import type { AppState } from '../app/state.ts'
import { plainHexOf } from '../codec/hex.ts'
import { mapDelete } from '../data/persistentMap.ts'
import { SimError } from '../errors.ts'
import type { BlockRecord } from './block.ts'
import type { Chain } from './chain.ts'
import { evidenceHash } from './hashing.ts'
import { recordAt, stateAt, withoutAbove } from './history.ts'
import { emptyMempool } from './mempool.ts'

export type RolledBack = { readonly chain: Chain; readonly gone: readonly BlockRecord[] }

/**
 * Returns the chain as of an earlier height, and the removed blocks, newest first. The mempool is
 * empty; time shifts, the block policy and what an operator set for senders and coming blocks stay.
 * Throws `RollbackRefused`.
 */
export function rolledBack(chain: Chain, depth: bigint): RolledBack {
  checkDepth(chain, depth)
  const height = chain.height - depth
  const [last, next, app] = [
    recordAt(chain.history, height),
    recordAt(chain.history, height + 1n),
    stateAt(chain.history, height),
  ]
  if (last === undefined || next === undefined || app === undefined) {
    throw new RollbackRefused(chain, depth)
  }
  const { header } = last.block
  const gone = newestBlocks(chain, depth)
  const forgotten = gone.flatMap(({ block }) => block.evidence).map((one) => plainHexOf(evidenceHash(one)))
  const after: Chain = {
    ...chain,
    height,
    app: withSettingsOf(chain.app, app),
    history: withoutAbove(chain.history, height),
    mempool: emptyMempool,
    lastValidators: last.validators,
    validators: next.validators,
    nextValidators: recordAt(chain.history, height + 2n)?.validators ?? chain.validators,
    consensusParams: next.consensusParams,
    appVersion: next.block.header.version.app,
    lastBlockId: last.id,
    lastBlockTime: header.time,
    lastResultsHash: next.block.header.lastResultsHash,
    lastCommit: last.seenCommit,
    evidence: [],
    committedEvidence: forgotten.reduce((map, id) => mapDelete(map, id), chain.committedEvidence),
    clock: { ...chain.clock, next: undefined },
  }
  return { chain: after, gone }
}

/** Returns a state with the operator's settings of another one, which belong to no height. */
function withSettingsOf({ impersonated, evmBlock }: AppState, { evmBlock: _, ...old }: AppState): AppState {
  return { ...old, impersonated, ...(evmBlock !== undefined && { evmBlock }) }
}

/** Returns the newest `depth` blocks, newest first. */
export function newestBlocks({ history, height }: Chain, depth: bigint): readonly BlockRecord[] {
  return Array.from({ length: Number(depth) }, (_, index) => recordAt(history, height - BigInt(index))).filter(
    (record) => record !== undefined,
  )
}

/** Returns the lowest height with a block and a state, to which the chain can be rolled back. */
export function lowestWhole({ history: { base, stateBase } }: Chain): bigint {
  return base > stateBase ? base : stateBase
}

/** Throws `RollbackRefused` unless the chain has `depth` blocks and one more below them. */
export function checkDepth(chain: Chain, depth: bigint): void {
  const { history, height } = chain
  if (depth < 1n || recordAt(history, height - depth) === undefined) {
    throw new RollbackRefused(chain, depth)
  }
}

/** The depth is less than 1 or exceeds the chain's blocks. */
export class RollbackRefused extends SimError {
  constructor(chain: Chain, depth: bigint) {
    const { height } = chain
    const lowest = lowestWhole(chain)
    const most = height - lowest
    super('ROLLBACK_REFUSED', `cannot take ${depth} blocks off a chain of height ${height}`, {
      hint: most > 0n ? `At most ${most}: block ${lowest} stays.` : 'There is no block above the first one.',
    })
  }
}
