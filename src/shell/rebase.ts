/** Replays all inputs of a chain on a new genesis (`mocks.md` §3.8, policy `rebase`). */
import type { Work } from '../data/work.ts'
import type { Input, InputBody } from '../plan/input.ts'
import { blocksPerSlice } from '../node/mining.ts'
import type { Output } from '../node/output.ts'
import { simulate } from '../simulation.ts'
import type { Beginning } from './beginning.ts'
import type { Sinks } from './queue.ts'
import { inTurns } from './turns.ts'
import type { Simulation } from '../simulation/turn.ts'

/** An input of a chain, and the responses sent while it ran. */
type Past = { readonly input: Input; readonly answers: readonly Answer[] }
type Answer = { readonly seq: number; readonly text: string }

/** All inputs since the genesis. */
export type Inputs = {
  readonly record: Sinks['record']
  /** Returns the inputs, or undefined if they were too large to keep or the chain did not begin with them. */
  readonly past: () => readonly Past[] | undefined
  /** Continues with a new chain that has this past; the numbers of its inputs follow it. */
  readonly goOn: (past: readonly Past[]) => void
  /** Discards the inputs, because the chain now has a state that they do not lead to. */
  readonly forget: () => void
}

const sizeMost = 64 * 2 ** 20

/** Returns a record of inputs, which discards all of them when they exceed 64 Mi characters and bytes. */
export function createInputs(): Inputs {
  let past: Past[] | undefined = []
  let offset = 0
  let size = 0
  return {
    record: (input, outputs) => {
      if (past === undefined) return
      // The new genesis brings the plans of reloads.
      if (input.kind === 'operator' && input.by === 'reload') return
      const answers = answersOf(outputs).map(({ seq, text }) => ({ seq: seq + offset, text }))
      past.push({ input: { ...input, seq: input.seq + offset }, answers })
      size += sizeOf({ input, answers })
      if (size > sizeMost) past = undefined
    },
    past: () => past,
    goOn: (next) => {
      past = [...next]
      size = past.reduce((sum, one) => sum + sizeOf(one), 0)
      offset = past.at(-1)?.input.seq ?? 0
    },
    forget: () => {
      past = undefined
    },
  }
}

function answersOf(outputs: readonly Output[]): readonly Answer[] {
  return outputs.flatMap((output) =>
    output.kind === 'reply' ? [{ seq: output.seq, text: `${output.status} ${output.body.trimEnd()}` }] : [],
  )
}

/** Returns the approximate memory of a value: its characters, its bytes, and some for each of its other parts. */
function sizeOf(value: unknown): number {
  let size = 0
  const rest = [value]
  while (rest.length > 0) {
    const one = rest.pop()
    if (typeof one === 'string') size += one.length
    else if (one instanceof Uint8Array) size += one.length
    else if (typeof one === 'object' && one !== null) for (const part of Object.values(one)) rest.push(part)
    size += 8
  }
  return size
}

export type Rebased = {
  readonly simulation: Simulation
  readonly past: readonly Past[]
  /** Sentences for the user: the number of replayed inputs and the first response that differs. */
  readonly notes: readonly string[]
}

/** A rebase to a new chain, during which the old chain still serves. */
export type Rebase = {
  /**
   * Replays the inputs, including new ones, and mines missing blocks until at most a few are missing
   * up to the height of the old chain. Regularly yields to the event loop.
   */
  readonly catchUp: (heightNow: () => bigint, log: Sinks['log']) => Promise<void>
  /**
   * Replays the remaining inputs, mines blocks up to at least `height`, so that clients never see
   * the height decrease, and returns the simulation without connections.
   */
  readonly finish: (height: bigint) => Rebased
}

/** Work of at least this many inputs or blocks logs its progress at every tenth. */
const loggedFrom = 1000

/**
 * Returns a rebase that replays inputs on another chain. `past` are the inputs so far; new inputs
 * are appended during the rebase.
 */
export function createRebase({ world, first }: Beginning, past: readonly Past[]): Rebase {
  let simulation = first
  /** The inputs of the new chain. Those that mine missing blocks shift the numbers of later ones. */
  const again: Past[] = []
  let replayed = 0
  const numbers = new Map<number, number>()
  const enter = (input: Input) => {
    const turned = simulate(world, simulation, input)
    simulation = turned.simulation
    again.push({ input, answers: answersOf(turned.outputs) })
  }
  const replayNext = () => {
    const next = past[replayed]?.input
    if (next === undefined) return
    const seq = next.seq + again.length - replayed
    numbers.set(seq, next.seq)
    enter({ ...next, seq })
    replayed += 1
  }
  const addInput = (body: InputBody) => {
    const last = again.at(-1)?.input
    enter({ ...body, seq: (last?.seq ?? 0) + 1, timeMs: last?.timeMs ?? 0n, session: '' })
  }
  const lacking = (height: bigint) => Number(height - simulation.node.chain.height)
  const mine = (count: number) => {
    addInput({ kind: 'operator', by: 'rebase', command: { type: 'produceBlock', count } })
  }
  function* catchingUp(heightNow: () => bigint, log: Sinks['log']): Work<void> {
    // `finish` replays all further inputs, while clients wait.
    const most = 2 * past.length
    while (replayed < Math.min(past.length, most)) {
      replayNext()
      logTenth(log, { done: replayed, by: 1, all: past.length, text: 'inputs replayed' })
      yield
    }
    const missing = lacking(heightNow())
    for (let mined = blocksPerSlice; mined <= missing; mined += blocksPerSlice) {
      const { height } = simulation.node.chain
      mine(blocksPerSlice)
      // A chain without a quorum mines nothing.
      if (simulation.node.chain.height === height) return
      logTenth(log, { done: mined, by: blocksPerSlice, all: missing, text: 'missing blocks mined' })
      yield
    }
  }
  return {
    catchUp: async (heightNow, log) => {
      // The second round is for what clients do while the missing blocks are mined.
      for (const _ of ['all', 'late']) await inTurns(catchingUp(heightNow, log))
    },
    finish: (height) => {
      while (replayed < past.length) replayNext()
      const before = new Map(past.flatMap(({ answers }) => answers.map(({ seq, text }) => [seq, text])))
      const now = again.flatMap(({ answers }) =>
        answers.map(({ seq, text }) => ({ seq: numbers.get(seq) ?? seq, text })),
      )
      const changed = now.find(({ seq, text }) => before.get(seq) !== text)
      for (const connection of simulation.node.connections.keys()) addInput({ kind: 'disconnected', connection })
      if (lacking(height) > 0) mine(lacking(height))
      return {
        simulation,
        past: again,
        notes: [
          `replayed ${past.length} inputs, up to height ${simulation.node.chain.height}`,
          ...(changed === undefined ? [] : [changedText(past, before, changed)]),
        ],
      }
    },
  }
}

/** `by` is the size of the last piece. */
type RebaseProgress = { readonly done: number; readonly by: number; readonly all: number; readonly text: string }

/** Logs progress if the last piece completed another tenth. */
function logTenth(log: Sinks['log'], { done, by, all, text }: RebaseProgress): void {
  const tenthOf = (count: number) => Math.floor((count * 10) / all)
  if (all < loggedFrom || done >= all || tenthOf(done) === tenthOf(done - by)) return
  log('info', `rebase: ${done} of ${all} ${text}`)
}

const shown = 160

function changedText(past: readonly Past[], before: ReadonlyMap<number, string>, { seq, text }: Answer): string {
  const input = past.find((one) => one.input.seq === seq)?.input
  const cut = (one: string) => (one.length > shown ? `${one.slice(0, shown)}…` : one)
  const asked = input?.kind === 'request' ? ` (${input.side} ${cut(input.body || input.target)})` : ''
  return (
    `the first response that differs: input ${seq}${asked}: ` +
    `was ${cut(before.get(seq) ?? 'none')}, is now ${cut(text)}`
  )
}
