/** Replays all inputs of a chain on a new genesis (`mocks.md` §3.8, policy `rebase`). */
import { performance } from 'node:perf_hooks'
import type { Input, InputBody } from '../plan/input.ts'
import type { Output } from '../node/output.ts'
import type { Plan } from '../plan/plan.ts'
import type { Settings } from '../settings/settings.ts'
import { createSimulation, simulate } from '../simulation.ts'
import type { Sinks } from './queue.ts'
import { createWorld } from './world.ts'
import type { Simulation } from '../simulation/turn.ts'

/** An input of a chain, and the responses sent while it ran. */
type Past = { readonly input: Input; readonly answers: readonly Answer[] }
type Answer = { readonly seq: number; readonly text: string }

/** All inputs since the genesis. */
export type Inputs = {
  readonly record: Sinks['record']
  /** Returns the inputs, or undefined if they were too large to keep. */
  readonly past: () => readonly Past[] | undefined
  /** Continues with a new chain that has this past; the numbers of its inputs follow it. */
  readonly goOn: (past: readonly Past[] | undefined) => void
}

const charactersMost = 64 * 2 ** 20

/** Returns a record of inputs, which discards all of them when they exceed 64 Mi characters. */
export function createInputs(): Inputs {
  let past: Past[] | undefined = []
  let offset = 0
  let size = 0
  return {
    record: (input, outputs) => {
      if (past === undefined) return
      const answers = answersOf(outputs).map(({ seq, text }) => ({ seq: seq + offset, text }))
      const isEntered = input.kind !== 'operator' || input.by !== 'reload'
      if (isEntered) past.push({ input: { ...input, seq: input.seq + offset }, answers })
      size += sizeOf({ input, answers })
      if (size > charactersMost) past = undefined
    },
    past: () => past,
    goOn: (next) => {
      past = next === undefined ? undefined : [...next]
      size = past?.reduce((sum, one) => sum + sizeOf(one), 0) ?? 0
      offset = past?.at(-1)?.input.seq ?? 0
    },
  }
}

function answersOf(outputs: readonly Output[]): readonly Answer[] {
  return outputs.flatMap((output) =>
    output.kind === 'reply' ? [{ seq: output.seq, text: `${output.status} ${output.body}` }] : [],
  )
}

function sizeOf({ input, answers }: Past): number {
  return (
    100 + (input.kind === 'request' ? input.body.length : 0) + answers.reduce((sum, { text }) => sum + text.length, 0)
  )
}

export type Rebased = {
  readonly simulation: Simulation
  readonly past: readonly Past[]
  /** Sentences for the user: the number of replayed inputs and the first response that differs. */
  readonly notes: readonly string[]
}

export type Rebasing = {
  readonly settings: Settings
  readonly genesis: string | undefined
  readonly plan: Plan
  readonly generation: number
  /** The inputs so far; new inputs are appended during the rebase. */
  readonly past: readonly Past[]
}

/** A rebase to a new chain, during which the old chain still serves. */
export type Rebase = {
  /** Replays the inputs, including new ones, and regularly yields to the event loop. */
  readonly catchUp: (log: Sinks['log']) => Promise<void>
  /**
   * Replays the remaining inputs, mines blocks up to at least `height`, so that clients never see
   * the height decrease, and returns the simulation without connections.
   */
  readonly finish: (height: bigint) => Rebased
}

/** Time between two yields, in milliseconds; an input is never interrupted. */
const turnMs = 20

/** If there are at least this many inputs, progress is logged after each tenth of them. */
const loggedFrom = 1000

/** Returns a rebase that replays inputs on another genesis. */
export function createRebase({ past, ...rebasing }: Rebasing): Rebase {
  const { world, genesis } = createWorld(rebasing.settings, rebasing.genesis)
  let simulation = createSimulation(world, { ...rebasing, genesis })
  const again: Past[] = []
  const enter = (input: Input): Past => {
    const turned = simulate(world, simulation, input)
    simulation = turned.simulation
    return { input, answers: answersOf(turned.outputs) }
  }
  const enterNext = () => {
    const next = past[again.length]
    if (next !== undefined) again.push(enter(next.input))
  }
  return {
    catchUp: async (log) => {
      let told = 0
      // `finish` replays all further inputs, while clients wait.
      const most = 2 * past.length
      while (again.length < Math.min(past.length, most)) {
        const until = performance.now() + turnMs
        while (again.length < past.length && performance.now() < until) enterNext()
        const tenth = Math.floor((again.length * 10) / past.length)
        if (past.length >= loggedFrom && tenth > told && tenth < 10) {
          told = tenth
          log('info', `rebase: ${again.length} of ${past.length} inputs replayed`)
        }
        await new Promise((done) => {
          setImmediate(done)
        })
      }
    },
    finish: (height) => {
      while (again.length < past.length) enterNext()
      const before = new Map(past.flatMap(({ answers }) => answers.map(({ seq, text }) => [seq, text])))
      const changed = again.flatMap(({ answers }) => answers).find(({ seq, text }) => before.get(seq) !== text)
      const all = [...again, ...closing(past, height, simulation).map(enter)]
      return {
        simulation,
        past: all,
        notes: [
          `replayed ${past.length} inputs, up to height ${simulation.node.chain.height}`,
          ...(changed === undefined ? [] : [changedText(past, before, changed)]),
        ],
      }
    },
  }
}

/** Returns the inputs that close all connections and mine the blocks missing up to `height`. */
function closing(past: readonly Past[], height: bigint, { node }: Simulation): readonly Input[] {
  const last = past.at(-1)?.input
  const lacking = Number(height - node.chain.height)
  const bodies: readonly InputBody[] = [
    ...[...node.connections.keys()].map((connection) => ({ kind: 'disconnected', connection }) as const),
    ...(lacking <= 0
      ? []
      : [
          {
            kind: 'operator',
            by: 'rebase',
            command: { type: 'produceBlock', count: lacking },
          } as const,
        ]),
  ]
  return bodies.map((body, index) => ({
    ...body,
    seq: (last?.seq ?? 0) + 1 + index,
    timeMs: last?.timeMs ?? 0n,
    session: '',
  }))
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
