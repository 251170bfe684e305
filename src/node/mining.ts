/**
 * Mining many blocks in slices. The first slice is part of the input that asks for the blocks; each
 * further one is part of a tick, so that other requests are answered in between and a recording of
 * the inputs replays exactly. All blocks of a job carry the times they would have if they were
 * mined at once, unless somebody else mines in between.
 */
import type { ChainCommand } from '../chain/command.ts'
import type { Outcome } from '../chain/outcome.ts'
import type { NodeCommand } from './command.ts'
import type { Node, HeightRange, MiningJob } from './node.ts'
import type { Output } from './output.ts'

/** So few that a slice of empty blocks takes a few milliseconds. */
export const blocksPerSlice = 5

/** Progress is logged at every tenth of a job of at least this many blocks. */
const loggedFrom = 1000

/** Returns the job of a command that asks for blocks. */
export function newMiningJob(node: Node, { count, gapMs }: Extract<NodeCommand, { type: 'mine' }>): MiningJob {
  const id = node.counters.mining ?? 1
  return { id, asked: count, left: count, gapMs, atMs: node.nowMs, mined: [] }
}

/** Returns the command that mines the next slice of a job. */
export function sliceOf({ asked, left, gapMs, atMs }: MiningJob): ChainCommand {
  return {
    type: 'produceBlock',
    count: Math.min(left, blocksPerSlice),
    atMs,
    ...(gapMs !== undefined && { gapMs, gapFirst: left < asked }),
  }
}

type Slice = { readonly node: Node; readonly outcome: Outcome; readonly outputs: readonly Output[] }

/**
 * Returns what a slice leaves: the job with fewer blocks to go and the outcome `mining`, or no job
 * and the outcome `produced`. A chain without a quorum ends the job early.
 */
export function afterSlice({ node, outcome, outputs }: Slice, job: MiningJob): Slice {
  const heights = outcome.type === 'produced' ? outcome.heights : []
  const rest = {
    ...job,
    left: job.left - heights.length,
    mined: withHeights(job.mined, heights),
  }
  const isStopped = heights.length < Math.min(job.left, blocksPerSlice)
  if (isStopped || rest.left === 0) return { ...endedMining(node, rest), outputs }
  const jobs = node.mining ?? []
  const mining = jobs.some(({ id }) => id === job.id)
    ? jobs.map((one) => (one.id === job.id ? rest : one))
    : [...jobs, rest]
  const counters = { ...node.counters, mining: Math.max(node.counters.mining ?? 1, job.id + 1) }
  return {
    node: { ...node, mining, counters },
    outcome: { type: 'mining', id: job.id },
    outputs: [...outputs, ...progressOf(job, rest)],
  }
}

function withHeights(ranges: readonly HeightRange[], heights: readonly bigint[]): readonly HeightRange[] {
  const from = heights[0]
  const to = heights.at(-1)
  if (from === undefined || to === undefined) return ranges
  const last = ranges.at(-1)
  return last?.to === from - 1n ? [...ranges.slice(0, -1), { from: last.from, to }] : [...ranges, { from, to }]
}

function progressOf(before: MiningJob, { asked, left }: MiningJob): readonly Output[] {
  const tenthOf = (one: number) => Math.floor(((asked - one) * 10) / asked)
  if (asked < loggedFrom || tenthOf(left) === tenthOf(before.left)) return []
  return [{ kind: 'log', level: 'info', text: `mined ${asked - left} of ${asked} blocks` }]
}

/**
 * Returns the node without a job, and what the job came to; the reply that waits for the job is
 * told the same.
 */
export function endedMining(node: Node, { id, mined }: MiningJob): { readonly node: Node; readonly outcome: Outcome } {
  const heights = mined.flatMap(({ from, to }) =>
    Array.from({ length: Number(to - from) + 1 }, (_, index) => from + BigInt(index)),
  )
  const outcome: Outcome = { type: 'produced', heights }
  if (node.mining === undefined) return { node, outcome }
  const others = node.mining.filter((one) => one.id !== id)
  const owed = node.owed.map((one) => (one.wait.for === 'mining' && one.wait.id === id ? { ...one, outcome } : one))
  return { node: { ...node, owed, mining: others }, outcome }
}

/** Returns the node after all its jobs were given up. */
export function withoutMining(node: Node): Node {
  return (node.mining ?? []).reduce((before, job) => endedMining(before, job).node, node)
}

/** Returns whether a job has blocks left to mine. */
export function isMining({ mining = [] }: Node, id: number): boolean {
  return mining.some((one) => one.id === id)
}

/** Returns a command that mines its blocks at once: for callers that cannot wait. */
export function unsliced(command: NodeCommand): NodeCommand {
  if (command.type === 'mine') return { ...command, type: 'produceBlock' }
  if (command.type !== 'sequence') return command
  return { ...command, commands: command.commands.map(unsliced) }
}
