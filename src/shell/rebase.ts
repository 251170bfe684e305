/**
 * A new genesis with the past of the old one: what was entered is entered again (`mocks.md` §3.8,
 * policy `rebase`).
 */
import type { Input, InputBody } from '../node/input.ts'
import type { Output } from '../node/output.ts'
import type { Plan } from '../node/plan.ts'
import type { Settings } from '../settings/settings.ts'
import { createSimulation, simulate, type Simulation } from '../simulation.ts'
import type { Sinks } from './queue.ts'
import { createWorld } from './world.ts'

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
  return outputs.flatMap((output) => output.kind === 'reply'
    ? [{ seq: output.seq, text: `${output.status} ${output.body}` }] : [])
}

function sizeOf({ input, answers }: Past): number {
  return 100 + (input.kind === 'request' ? input.body.length : 0)
    + answers.reduce((sum, { text }) => sum + text.length, 0)
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
  readonly past: readonly Past[]
  /** The chain is made so high at least: heights do not go back for those who watch. */
  readonly height: bigint
  readonly generation: number
}

/** Returns the simulation after the same inputs on another genesis, without connections. */
export function rebased(rebasing: Rebasing): Rebased {
  const { past, settings } = rebasing
  const { world, genesis } = createWorld(settings, rebasing.genesis)
  let simulation = createSimulation(world, { ...rebasing, genesis })
  const before = new Map(past.flatMap(({ answers }) => answers.map(({ seq, text }) => [seq, text])))
  const enter = (input: Input): Past => {
    const turned = simulate(world, simulation, input)
    simulation = turned.simulation
    return { input, answers: answersOf(turned.outputs) }
  }
  const again = past.map(({ input }) => enter(input))
  const changed = again.flatMap(({ answers }) => answers)
    .find(({ seq, text }) => before.get(seq) !== text)
  const all = [...again, ...closing(rebasing, simulation).map(enter)]
  return {
    simulation, past: all,
    notes: [
      `${past.length} inputs were entered again, up to height ${simulation.node.chain.height}`,
      ...(changed === undefined ? [] : [changedText(past, before, changed)]),
    ],
  }
}

/** Connections are gone, and blocks that the new chain lacks are made. */
function closing({ past, height }: Rebasing, { node }: Simulation): readonly Input[] {
  const last = past.at(-1)?.input
  const lacking = Number(height - node.chain.height)
  const bodies: readonly InputBody[] = [
    ...[...node.connections.keys()].map((connection) => (
      { kind: 'disconnected', connection } as const)),
    ...(lacking <= 0 ? [] : [{
      kind: 'operator', by: 'rebase', command: { type: 'produceBlock', count: lacking },
    } as const]),
  ]
  return bodies.map((body, index) => (
    { ...body, seq: (last?.seq ?? 0) + 1 + index, timeMs: last?.timeMs ?? 0n, session: '' }))
}

const shown = 160

function changedText(
  past: readonly Past[], before: ReadonlyMap<number, string>, { seq, text }: Answer,
): string {
  const input = past.find((one) => one.input.seq === seq)?.input
  const cut = (one: string) => one.length > shown ? `${one.slice(0, shown)}…` : one
  const asked = input?.kind === 'request'
    ? ` (${input.side} ${cut(input.body || input.target)})`
    : ''
  return `the first answer that is another one now: input ${seq}${asked}: `
    + `was ${cut(before.get(seq) ?? 'none')}, is ${cut(text)}`
}
