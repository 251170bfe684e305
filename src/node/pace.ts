/** When the next interval block is due (`comet-rpc.md` §7, `[consensus]`). */
import { decidingRound, hasQuorum } from '../chain/commits.ts'
import { addDue } from '../data/agenda.ts'
import { durationMs } from '../settings/duration.ts'
import type { Settings } from '../settings/settings.ts'
import type { Node } from './node.ts'
import type { World } from './world.ts'

/** Returns the pause between blocks in milliseconds: as asked for, else as consensus pauses after one. */
export function intervalMsOf({ interval, timeoutCommit }: Settings): bigint {
  if (interval !== '') return durationMs(interval)
  // A chain without a pause still lets time pass.
  const pause = durationMs(timeoutCommit)
  return pause > 0n ? pause : 1n
}

/** Returns the node whose next interval block is due one interval from now; an older one is void. */
export function withPace(world: World, node: Node): Node {
  const { mode, intervalMs, paused } = node.chain.policy
  const epoch = node.intervalEpoch + 1
  if (paused || intervalMs <= 0n || (mode !== 'interval' && mode !== 'mixed')) return { ...node, intervalEpoch: epoch }
  const dueMs = node.nowMs + intervalMs + failedRoundsMs(world, node)
  const agenda = addDue(node.agenda, dueMs, { type: 'interval', epoch })
  return { ...node, intervalEpoch: epoch, agenda }
}

/** Rounds whose proposer is down take their time, unless blocks were asked for at an interval. */
function failedRoundsMs({ signers }: World, { chain, settings }: Node): bigint {
  const failing = chain.roundsToFail ?? 0
  if (failing === 0 && (settings.interval !== '' || chain.down.size === 0)) return 0n
  const signing = { set: chain.validators, down: chain.down, signers, chainId: chain.genesis.chainId }
  if (!hasQuorum(signing)) return 0n
  const { round } = decidingRound(signing, failing)
  return Array.from({ length: round }, (_, failed) => failedRoundMs(settings, BigInt(failed))).reduce((a, b) => a + b, 0n)
}

/** Everybody votes nil as soon as the proposer is given up, then waits once more after the precommits. */
function failedRoundMs(settings: Settings, round: bigint): bigint {
  const { timeoutPropose, timeoutProposeDelta, timeoutPrecommit, timeoutPrecommitDelta } = settings
  const proposeMs = durationMs(timeoutPropose) + round * durationMs(timeoutProposeDelta)
  return proposeMs + durationMs(timeoutPrecommit) + round * durationMs(timeoutPrecommitDelta)
}

/** Returns the node whose first block is due now, unless blocks come at intervals. */
export function withFirstBlock(node: Node): Node {
  if (node.chain.policy.mode === 'interval') return node
  const agenda = addDue(node.agenda, node.nowMs, { type: 'command', command: { type: 'produceBlock' } })
  return { ...node, agenda }
}
