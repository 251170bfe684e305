/**
 * A new genesis with the past of the old one: what was entered is entered again (`mocks.md` §3.8,
 * policy `rebase`).
 */
import { performance } from 'node:perf_hooks'
import type { Input, InputBody } from '../node/input.ts'
import type { Output } from '../node/output.ts'
import type { Plan } from '../node/plan.ts'
import type { Settings } from '../settings/settings.ts'
import { createSimulation, simulate } from '../simulation.ts'
import type { Sinks } from './queue.ts'
import { createWorld } from './world.ts'
import type { Simulation } from '../simulation/turn.ts'

/** An input of a chain, and what clients were answered while it was carried out. */
type Past = { readonly input: Input; readonly answers: readonly Answer[] }
type Answer = { readonly seq: number; readonly text: string }

/** All that was entered since the genesis. */
export type Inputs = {
  readonly record: Sinks['record']
  /** Undefined where it was too much to keep. */
  readonly past: () => readonly Past[] | undefined
  /** Goes on with a chain that has this past; its own inputs are numbered after it. */
  readonly goOn: (past: readonly Past[] | undefined) => void
}

const charactersMost = 64 * 2 ** 20

/** Returns a keeper of inputs; beyond 64 Mi characters it gives up and keeps none. */
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
  /** A sentence for a person: how much there was, and the first answer that is another one. */
  readonly notes: readonly string[]
}

export type Rebasing = {
  readonly settings: Settings
  readonly genesis: string | undefined
  readonly plan: Plan
  readonly generation: number
  /** Inputs so far; those that are entered meanwhile come at its end. */
  readonly past: readonly Past[]
}

/** Work on a new chain while the old one still serves. */
export type Rebase = {
  /** Enters all inputs of the past, those that come meanwhile too, and lets others work between. */
  readonly catchUp: (log: Sinks['log']) => Promise<void>
  /**
   * Enters the rest, makes the chain so high at least, because heights do not go back for those who
   * watch, and returns the simulation without connections.
   */
  readonly finish: (height: bigint) => Rebased
}

/** So long is worked at a time, in milliseconds; an input is never divided. */
const turnMs = 20

/** Progress is logged at every tenth of a past of at least this many inputs. */
const loggedFrom = 1000

/** Returns the work of entering the same inputs on another genesis. */
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
      // Clients that enter more than this meanwhile wait for the rest.
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

/** Connections are gone, and blocks that the new chain lacks are made. */
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
