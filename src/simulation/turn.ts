/** A turn: the processing of one input by a simulation, and its basic steps. */
import type { Loadable } from '../data/loadable.ts'
import { withBoundedCounts } from './faultCounts.ts'
import type { Facts } from '../scenario/facts.ts'
import type { MakesAction } from '../scenario/late.ts'
import type { Journal } from './journal.ts'
import type { Node } from '../node/node.ts'
import type { NodeCommand } from '../node/command.ts'
import type { Outcome } from '../chain/outcome.ts'
import { quorumMissing } from '../chain/quorum.ts'
import type { World } from '../node/world.ts'
import { apply } from '../node/apply.ts'
import { concat, type Effects, type Told } from '../node/effects.ts'
import { isExpected, thrownInFull } from '../errors.ts'
import { withIncident } from '../node/incidents.ts'
import type { LogLevel, Output } from '../node/output.ts'
import type { Plan } from '../plan/plan.ts'
import type { Progress } from '../scenario/progress.ts'

/** The world of a node and of its scenario. */
export type SimulationWorld = World & {
  /** The compiler of late actions, with the large schema of actions. */
  readonly lateActions?: Loadable<MakesAction>
}

/** Parts of a world that the shell loads on first use. */
export const parts = ['scripts', 'lateActions'] as const

export type Part = (typeof parts)[number]

/** A node, its scenario with the progress so far, and the journal of calls. */
export type Simulation = {
  readonly node: Node
  readonly plan: Plan
  readonly progress: Progress
  readonly journal: Journal
}

/**
 * The state while one input is processed; `told` is the number of events already passed to the
 * scenario.
 */
export type Turn = Told & {
  readonly simulation: Simulation
  readonly told: number
  /** The reason why the operator's command of this input had no effect. */
  readonly refusal?: Refusal
}

/**
 * The reason why an operator's command had no effect: an error message, or the incident number of a
 * bug.
 */
export type Refusal =
  | { readonly kind: 'refused'; readonly message: string; readonly hint?: string }
  | { readonly kind: 'bug'; readonly incident: number }

/** Returns the turn with the node replaced. */
export function withNode(turn: Turn, node: Node): Turn {
  return { ...turn, simulation: { ...turn.simulation, node } }
}

/** Returns the turn after work on its node. */
export function withEffects(turn: Turn, { node, events, outputs }: Effects): Turn {
  return concat(turn, { ...withNode(turn, node), events, outputs })
}

/** Returns the turn with more outputs. */
export function withOutputs(turn: Turn, outputs: readonly Output[]): Turn {
  return { ...turn, outputs: [...turn.outputs, ...outputs] }
}

/** Returns the turn with one more log line. */
export function withLog(turn: Turn, level: LogLevel, text: string): Turn {
  return withOutputs(turn, [{ kind: 'log', level, text }])
}

/**
 * Returns the turn after a failed command, and the reason. A rejection is logged; a bug is logged
 * as an incident.
 */
export function refused(turn: Turn, what: string, error: unknown): { readonly turn: Turn; readonly refusal: Refusal } {
  if (!isExpected(error)) return withBug(turn, what, error)
  const { message, hint } = error
  return {
    turn: withLog(turn, 'error', `${what} was refused: ${message}`),
    refusal: { kind: 'refused', message, ...(hint !== undefined && { hint }) },
  }
}

/** Returns the turn after a bug was logged as an incident, and the incident number. */
export function withBug(turn: Turn, what: string, error: unknown) {
  const { node, number, output } = withIncident(turn.simulation.node, `${what}\n${thrownInFull(error)}`)
  return {
    turn: withOutputs(withNode(turn, node), [output]),
    refusal: { kind: 'bug', incident: number },
  } as const
}

/**
 * Returns the turn after a command. A rejected command is logged and changes nothing; a bug is
 * logged as an incident.
 */
export function commanded(world: World, turn: Turn, { by, command }: { by: string; command: NodeCommand }): Turn {
  try {
    return withEffects(turn, applied(world, turn.simulation, command))
  } catch (error) {
    return refused(turn, `${by}: ${command.type}`, error).turn
  }
}

/** Returns the turn after a command. Throws the error of a rejected command. */
export function carry(world: World, turn: Turn, command: NodeCommand): Turn {
  return carried(world, turn, command).turn
}

/** Returns the turn after a command, with the outcome. Throws the error of a rejected command. */
export function carried(
  world: World,
  turn: Turn,
  command: NodeCommand,
): { readonly turn: Turn; readonly outcome: Outcome } {
  const after = applied(world, turn.simulation, command)
  return { turn: withEffects(turn, after), outcome: after.outcome }
}

function applied(world: World, { node, plan }: Simulation, command: NodeCommand): ReturnType<typeof apply> {
  const after = apply(world, node, command)
  if (command.type !== 'setFault') return after
  return { ...after, node: { ...after.node, faults: withBoundedCounts(after.node.faults, plan) } }
}

/** Throws `NoQuorum` if a command only mines blocks and too few validators sign for one. */
export function assertMines(world: World, { simulation: { node } }: Turn, { type }: NodeCommand): void {
  const why = type === 'mine' || type === 'produceBlock' ? quorumMissing(world, node.chain) : undefined
  if (why !== undefined) throw why
}

/** Returns the turn with the progress of its scenario replaced. */
export function withProgress(turn: Turn, progress: Progress): Turn {
  return { ...turn, simulation: { ...turn.simulation, progress } }
}

/** Returns the turn with changed facts of its scenario. */
export function withFacts(turn: Turn, changed: Partial<Facts>): Turn {
  const { progress } = turn.simulation
  return withProgress(turn, { ...progress, facts: { ...progress.facts, ...changed } })
}
