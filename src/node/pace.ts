/** When the next interval block is due (`comet-rpc.md` §7, `[consensus]`). */
import { decidingRound, hasQuorum } from '../chain/commits.ts'
import { candidates } from '../chain/mempool.ts'
import { latestBlock } from '../chain/view.ts'
import { addDue } from '../data/agenda.ts'
import { equalBytes } from '../data/bytes.ts'
import { durationMs } from '../settings/duration.ts'
import type { Settings } from '../settings/settings.ts'
import type { Node } from './node.ts'
import type { World } from './world.ts'

/**
 * Returns the pause between blocks in milliseconds: as asked for, else as consensus pauses after
 * one.
 */
export function intervalMsOf({ interval, timeoutCommit }: Settings): bigint {
  if (interval !== '') return durationMs(interval)
  // A chain without a pause still lets time pass.
  const pause = durationMs(timeoutCommit)
  return pause > 0n ? pause : 1n
}

/**
 * Returns the node whose next interval block is due one interval from now; an older one is void.
 */
export function withPace(world: World, node: Node): Node {
  const { mode, intervalMs, paused } = node.chain.policy
  const isPaced = !paused && intervalMs > 0n && (mode === 'interval' || mode === 'mixed')
  if (!isPaced) return { ...node, intervalEpoch: node.intervalEpoch + 1, idle: false }
  const pauseMs = pauseOf(node)
  const decided = !mayWait(node.settings)
  return withInterval(node, { laterMs: decided ? pauseMs + failedRoundsMs(world, node) : pauseMs, decided })
}

/**
 * Returns the node that waits longer although the pause after the last block is over; undefined
 * when its block is to be made now (CometBFT `enterNewRound`).
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

/** Returns the node whose block is due where what it waited for has come. */
export function withoutWait(world: World, node: Node): Node {
  if (!node.idle || waits(node)) return node
  return withInterval(node, { laterMs: failedRoundsMs(world, node), decided: true })
}

function withInterval(node: Node, { laterMs, decided }: { laterMs: bigint; decided: boolean }): Node {
  const epoch = node.intervalEpoch + 1
  const agenda = addDue(node.agenda, node.nowMs + laterMs, { type: 'interval', epoch, decided })
  return { ...node, intervalEpoch: epoch, agenda, idle: false }
}

/** With every precommit at hand a node that skips its pause goes on at once. */
function pauseOf({ chain: { policy, down }, settings }: Node): bigint {
  const isOwn = settings.interval === '' && policy.intervalMs === intervalMsOf(settings)
  return settings.skipTimeoutCommit && isOwn && down.size === 0 ? 1n : policy.intervalMs
}

function mayWait({ createEmptyBlocks, createEmptyBlocksInterval }: Settings): boolean {
  return !createEmptyBlocks || durationMs(createEmptyBlocksInterval) > 0n
}

/**
 * The first block, and one that carries a new app hash, are made whether or not a transaction
 * waits.
 */
function waits({ chain, settings }: Node): boolean {
  if (!mayWait(settings) || candidates(chain.mempool).length > 0) return false
  const last = latestBlock(chain)
  return last !== undefined && equalBytes(last.block.header.appHash, chain.app.appHash)
}

/** Rounds whose proposer is down take their time, unless blocks were asked for at an interval. */
function failedRoundsMs({ signers }: World, { chain, settings }: Node): bigint {
  const failing = chain.roundsToFail ?? 0
  if (failing === 0 && (settings.interval !== '' || chain.down.size === 0)) return 0n
  const signing = {
    set: chain.validators,
    down: chain.down,
    signers,
    chainId: chain.genesis.chainId,
  }
  if (!hasQuorum(signing)) return 0n
  const { round } = decidingRound(signing, failing)
  return Array.from({ length: round }, (_, failed) => failedRoundMs(settings, BigInt(failed))).reduce(
    (a, b) => a + b,
    0n,
  )
}

/**
 * Everybody votes nil as soon as the proposer is given up, then waits once more after the
 * precommits.
 */
function failedRoundMs(settings: Settings, round: bigint): bigint {
  const { timeoutPropose, timeoutProposeDelta, timeoutPrecommit, timeoutPrecommitDelta } = settings
  const proposeMs = durationMs(timeoutPropose) + round * durationMs(timeoutProposeDelta)
  return proposeMs + durationMs(timeoutPrecommit) + round * durationMs(timeoutPrecommitDelta)
}

/**
 * Returns the node whose first block is due now, unless blocks come at intervals and nothing is
 * gone on from.
 */
export function withFirstBlock(node: Node): Node {
  if (node.chain.policy.mode === 'interval' && node.chain.genesis.fork === undefined) return node
  const agenda = addDue(node.agenda, node.nowMs, { type: 'command', command: { type: 'produceBlock' } })
  return { ...node, agenda }
}
