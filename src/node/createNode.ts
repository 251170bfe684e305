/** Creates the node that a server starts with. */
import type { ChainClock, Genesis } from '../chain/chain.ts'
import type { BlockPolicy } from '../chain/command.ts'
import { firstChain } from '../chain/genesis.ts'
import { emptyAgenda } from '../data/agenda.ts'
import { timeToMs } from '../data/time.ts'
import { noFaults } from '../fault/decide.ts'
import { durationMs } from '../settings/duration.ts'
import type { Settings } from '../settings/settings.ts'
import { noConnections, type Node } from './node.ts'
import { intervalMsOf, withFirstBlock, withPace } from './pace.ts'
import type { World } from './world.ts'

/**
 * Returns a node at height 0 with its first block on the agenda. The block is due at once, because
 * wallets need one, or after one interval, as on a real node. Throws the genesis error if the
 * genesis is invalid.
 */
export function createNode(world: World, settings: Settings, genesis: Genesis): Node {
  const chain = firstChain(world, genesis, { policy: policyOf(settings), clock: clockOf(settings, genesis) })
  return withFirstBlock(
    withPace(world, {
      chain,
      origin: chain,
      settings,
      nowMs: 0n,
      agenda: emptyAgenda,
      faults: noFaults,
      ...noConnections,
      filters: new Map(),
      checkpoints: [],
      made: [],
      intervalEpoch: 0,
      idle: false,
      counters: { filter: 1, subscription: 1, checkpoint: 1, perform: 1, incident: 1 },
    }),
  )
}

/** Returns the block policy of a node that starts with the settings. */
export function policyOf(settings: Settings): BlockPolicy {
  const { blocks, lazy } = settings
  return {
    mode: blocks as BlockPolicy['mode'],
    intervalMs: intervalMsOf(settings),
    lazy,
    paused: false,
  }
}

/**
 * Returns the chain's clock. It starts at `startTimeMs`, which the shell sets to the setting
 * `genesisTime` or later.
 */
function clockOf({ time, blockTime, startTimeMs }: Settings, genesis: Genesis): ChainClock {
  const startMs = startTimeMs > 0 ? BigInt(startTimeMs) : timeToMs(genesis.time)
  return {
    source: time as ChainClock['source'],
    blockTimeMs: durationMs(blockTime),
    startMs,
    step: undefined,
    offsetMs: 0n,
    next: undefined,
  }
}
