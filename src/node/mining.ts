/**
 * Mines many blocks in slices. The first slice is part of the input that requests the blocks; each
 * further slice is part of a tick. Other requests are answered in between, and a recording of the
 * inputs replays exactly. Block times are the same as if all blocks were mined at once, unless
 * other blocks are mined in between.
 */
import type { ChainCommand } from '../chain/command.ts'
import type { Outcome } from '../chain/outcome.ts'
import type { NoQuorum } from '../chain/quorum.ts'
import type { NodeCommand } from './command.ts'
import type { Node, HeightRange, MiningJob } from './node.ts'
import type { Output } from './output.ts'

/** The most blocks that one command mines. */
export const minedMost = 1_000_000

/** The most blocks per slice. A slice of empty blocks takes a few milliseconds. */
export const blocksPerSlice = 5

/** Returns the most blocks per slice now. */
export function sliceSize({ minesSingly }: Node): number {
  return minesSingly === true ? 1 : blocksPerSlice
}

/** Jobs of at least this many blocks log their progress at every tenth. */
const loggedFrom = 1000

/** Returns the mining job for a `mine` command. */
export function newMiningJob(node: Node, { count, gapMs }: Extract<NodeCommand, { type: 'mine' }>): MiningJob {
  const id = node.counters.mining ?? 1
  return { id, asked: count, left: count, gapMs, atMs: node.nowMs, mined: [] }
}

/** Returns the command that mines the next slice of a job. */
export function nextSlice(node: Node, { asked, left, gapMs, atMs }: MiningJob): ChainCommand {
  return {
    type: 'produceBlock',
    count: Math.min(left, sliceSize(node)),
    atMs,
    ...(gapMs !== undefined && { gapMs, gapFirst: left < asked }),
  }
}

type Slice = { readonly node: Node; readonly outcome: Outcome; readonly outputs: readonly Output[] }

/**
 * Returns the node and outcome after a slice: the shortened job and `mining`, or no job and
 * `produced`. A chain without a quorum ends the job early, and the log says so once.
 */
export function afterSlice({ node: sliced, outcome, outputs: told }: Slice, job: MiningJob, why?: NoQuorum): Slice {
  const { node, outputs } = withQuorum({ node: sliced, outputs: told }, why)
  const heights = outcome.type === 'produced' ? outcome.heights : []
  const rest = {
    ...job,
    left: job.left - heights.length,
    mined: withHeights(job.mined, heights),
  }
  const isStopped = heights.length < Math.min(job.left, sliceSize(node))
  if (isStopped) return { ...cutShort(node, rest), outputs }
  if (rest.left === 0) return { ...endedMining(node, rest), outputs }
  const jobs = node.mining ?? []
  const mining = jobs.some(({ id }) => id === job.id)
    ? jobs.map((one) => (one.id === job.id ? rest : one))
    : [...jobs, rest]
  const counters = { ...node.counters, mining: Math.max(node.counters.mining ?? 1, job.id + 1) }
  return {
    node: { ...withoutCutShort(node, job), mining, counters },
    outcome: { type: 'mining', id: job.id },
    outputs: [...outputs, ...progressOf(job, rest)],
  }
}

/** Returns the node without the note of an earlier job with the same id, which ended in its first slice. */
function withoutCutShort(node: Node, { id }: MiningJob): Node {
  if (node.cutShort?.id !== id) return node
  const { cutShort: _, ...rest } = node
  return rest
}

/** Returns the node that knows whether it lacks a quorum, with a warning if that is news. */
export function withQuorum(
  { node, outputs }: Omit<Slice, 'outcome'>,
  why: NoQuorum | undefined,
): Omit<Slice, 'outcome'> {
  const isKnown = node.lacksQuorum !== undefined
  if (isKnown === (why !== undefined)) return { node, outputs }
  if (why === undefined) {
    const { lacksQuorum: _, ...rest } = node
    return { node: rest, outputs }
  }
  const text = `no block was mined: ${why.message}${why.hint === undefined ? '' : ` (${why.hint})`}`
  return { node: { ...node, lacksQuorum: true }, outputs: [...outputs, { kind: 'log', level: 'warn', text }] }
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

type Ended = { readonly node: Node; readonly outcome: Outcome }

/**
 * Returns the node without a job, and the job's outcome. The reply that waits for the job gets the
 * same outcome. `left` is the number of blocks that the caller does not get.
 */
function endedMining(node: Node, { id, mined }: MiningJob, left = 0): Ended {
  const heights = mined.flatMap(({ from, to }) =>
    Array.from({ length: Number(to - from) + 1 }, (_, index) => from + BigInt(index)),
  )
  const outcome: Outcome = { type: 'produced', heights, ...(left > 0 && { left }) }
  if (node.mining === undefined) return { node, outcome }
  const others = node.mining.filter((one) => one.id !== id)
  const owed = node.owed.map((one) => (one.wait.for === 'mining' && one.wait.id === id ? { ...one, outcome } : one))
  return { node: { ...node, owed, mining: others }, outcome }
}

function cutShort(node: Node, job: MiningJob): Ended {
  return endedMining({ ...node, cutShort: job }, job, job.left)
}

/** Returns the node with all its mining jobs ended at the wish of the operator: their callers learn of no error. */
export function withoutMining(node: Node): Node {
  return (node.mining ?? []).reduce((before, job) => endedMining(before, job).node, node)
}

/** Returns the node with all its mining jobs cut short: their callers get an error. */
export function abandonMining(node: Node): Node {
  return (node.mining ?? []).reduce((before, job) => cutShort(before, job).node, node)
}

/** Returns whether a job has blocks left to mine. */
export function isMining({ mining = [] }: Node, id: number): boolean {
  return mining.some((one) => one.id === id)
}

/** Returns a command that mines all its blocks at once, for callers that cannot wait. */
export function unsliced(command: NodeCommand): NodeCommand {
  if (command.type === 'mine') return { ...command, type: 'produceBlock' }
  if (command.type !== 'sequence') return command
  return { ...command, commands: command.commands.map(unsliced) }
}
