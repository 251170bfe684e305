/** Schedules interval blocks (`comet-rpc.md` §7, `[consensus]`). */
import { minesAtInterval } from '../chain/command.ts'
import { decidingRound, hasQuorum } from '../chain/commits.ts'
import { hasCandidates } from '../chain/mempool.ts'
import { signingOf } from '../chain/quorum.ts'
import { latestBlock } from '../chain/view.ts'
import { addDue } from '../data/agenda.ts'
import { equalBytes } from '../data/bytes.ts'
import { durationMs } from '../settings/duration.ts'
import type { Settings } from '../settings/settings.ts'
import type { Node } from './node.ts'
import type { World } from './world.ts'

/**
 * Returns the pause between blocks in milliseconds: the setting `interval`, else the pause that
 * consensus makes after a block (`timeout_commit`).
 */
export function intervalMsOf({ interval, timeoutCommit }: Settings): bigint {
  if (interval !== '') return durationMs(interval)
  // Without a pause, block time must still advance.
  const pause = durationMs(timeoutCommit)
  return pause > 0n ? pause : 1n
}

/** Returns the node whose next interval block is due after one pause; an older entry is ignored. */
export function withPace(world: World, node: Node): Node {
  const { policy } = node.chain
  const isPaced = !policy.paused && policy.intervalMs > 0n && minesAtInterval(policy)
  if (!isPaced) return { ...node, intervalEpoch: node.intervalEpoch + 1, idle: false }
  const pauseMs = pauseOf(node)
  const decided = !mayWait(node.settings)
  return withInterval(node, { laterMs: decided ? pauseMs + failedRoundsMs(world, node) : pauseMs, decided })
}

/**
 * Returns the node that waits longer although the pause after the last block is over, or undefined
 * if its block is due now (CometBFT `enterNewRound`).
 */
export function postponed(world: World, node: Node): Node | undefined {
  const failedMs = failedRoundsMs(world, node)
  if (!waits(node)) {
    return failedMs === 0n ? undefined : withInterval(node, { laterMs: failedMs, decided: true })
  }
  const emptyMs = durationMs(node.settings.createEmptyBlocksInterval)
  const next = emptyMs > 0n ? withInterval(node, { laterMs: emptyMs + failedMs, decided: true }) : node
  return { ...next, idle: true }
}

/** Returns the node with its next block scheduled, if the transaction it waited for has arrived. */
export function withoutWait(world: World, node: Node): Node {
  if (!node.idle || waits(node)) return node
  return withInterval(node, { laterMs: failedRoundsMs(world, node), decided: true })
}

function withInterval(node: Node, { laterMs, decided }: { laterMs: bigint; decided: boolean }): Node {
  const epoch = node.intervalEpoch + 1
  const agenda = addDue(node.agenda, node.nowMs + laterMs, { type: 'interval', epoch, decided })
  return { ...node, intervalEpoch: epoch, agenda, idle: false }
}

/**
 * Returns the pause in milliseconds. With `skip_timeout_commit` and every precommit present, the
 * node continues at once.
 */
function pauseOf({ chain: { policy, down }, settings }: Node): bigint {
  const isOwn = settings.interval === '' && policy.intervalMs === intervalMsOf(settings)
  return settings.skipTimeoutCommit && isOwn && down.size === 0 ? 1n : policy.intervalMs
}

function mayWait({ createEmptyBlocks, createEmptyBlocksInterval }: Settings): boolean {
  return !createEmptyBlocks || durationMs(createEmptyBlocksInterval) > 0n
}

/**
 * Returns whether the node waits for a transaction. The first block and a block with a new app hash
 * are made without one.
 */
function waits({ chain, settings }: Node): boolean {
  if (!mayWait(settings) || hasCandidates(chain.mempool)) return false
  const last = latestBlock(chain)
  return last !== undefined && equalBytes(last.block.header.appHash, chain.app.appHash)
}

/**
 * Returns the duration of the failed rounds before the next block, in milliseconds. If the setting
 * `interval` is given, only rounds that a scenario fails on purpose take time.
 */
function failedRoundsMs(world: World, { chain, settings }: Node): bigint {
  const failing = chain.roundsToFail ?? 0
  if (failing === 0 && (settings.interval !== '' || chain.down.size === 0)) return 0n
  const signing = signingOf(world, chain)
  if (!hasQuorum(signing)) return 0n
  const { round } = decidingRound(signing, failing)
  return Array.from({ length: round }, (_, failed) => failedRoundMs(settings, BigInt(failed))).reduce(
    (a, b) => a + b,
    0n,
  )
}

/**
 * Returns the duration of a failed round in milliseconds: the propose timeout, after which all
 * validators vote nil, and then the precommit timeout.
 */
function failedRoundMs(settings: Settings, round: bigint): bigint {
  const { timeoutPropose, timeoutProposeDelta, timeoutPrecommit, timeoutPrecommitDelta } = settings
  const proposeMs = durationMs(timeoutPropose) + round * durationMs(timeoutProposeDelta)
  return proposeMs + durationMs(timeoutPrecommit) + round * durationMs(timeoutPrecommitDelta)
}

/**
 * Returns the node whose first block is due now. An interval chain waits for its interval, unless
 * it is a fork.
 */
export function withFirstBlock(node: Node): Node {
  if (node.chain.policy.mode === 'interval' && node.chain.genesis.fork === undefined) return node
  const agenda = addDue(node.agenda, node.nowMs, { type: 'command', command: { type: 'produceBlock' } })
  return { ...node, agenda }
}
