/** One input on its way through a simulation: what has happened so far, and the smallest steps. */
import type { ChainEvent } from '../chain/event.ts'
import type { Facts } from '../scenario/facts.ts'
import type { Journal } from './journal.ts'
import type { Node } from '../node/node.ts'
import type { NodeCommand } from '../node/command.ts'
import type { Outcome } from '../chain/outcome.ts'
import type { Output } from '../node/output.ts'
import type { World } from '../node/world.ts'
import { apply } from '../node/apply.ts'
import { isExpected, thrownInFull } from '../errors.ts'
import { withIncident } from '../node/incidents.ts'
import type { Plan } from '../node/plan.ts'
import type { Progress } from '../scenario/progress.ts'

/** A node, the scenario it follows and how far that is, and what was seen. */
export type Simulation = {
  readonly node: Node
  readonly plan: Plan
  readonly progress: Progress
  readonly journal: Journal
}

/**
 * Carried through one input: what has happened so far; `told` counts the events the scenario knows
 * of.
 */
export type Turn = {
  readonly simulation: Simulation
  readonly outputs: readonly Output[]
  readonly events: readonly ChainEvent[]
  readonly told: number
  /** Why the operator's command that came with the input had no effect. */
  readonly refusal?: Refusal
}

/**
 * Why an operator's command had no effect: the message of the error that refused it, or for a bug
 * the number of its incident.
 */
export type Refusal =
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'bug'; readonly incident: number }

/** Returns the turn with another node. */
export function withNode(turn: Turn, node: Node): Turn {
  return { ...turn, simulation: { ...turn.simulation, node } }
}

/**
 * Returns the turn after a refusal, which the log tells, or after a bug, which is an incident; and
 * which of the two it was.
 */
export function refused(turn: Turn, what: string, error: unknown): { readonly turn: Turn; readonly refusal: Refusal } {
  if (!isExpected(error)) return withBug(turn, what, error)
  const text = `${what} was refused: ${error.message}`
  return {
    turn: { ...turn, outputs: [...turn.outputs, { kind: 'log', level: 'error', text }] },
    refusal: { kind: 'refused', message: error.message },
  }
}

/** Returns the turn after a bug, which is an incident in the log, and the number of that incident. */
export function withBug(turn: Turn, what: string, error: unknown) {
  const { node, number, output } = withIncident(turn.simulation.node, `${what}\n${thrownInFull(error)}`)
  return {
    turn: { ...withNode(turn, node), outputs: [...turn.outputs, output] },
    refusal: { kind: 'bug', incident: number },
  } as const
}

/**
 * Returns the turn after a command. One that is refused says so in the log and changes nothing; one
 * that meets a bug logs an incident.
 */
export function commanded(world: World, turn: Turn, { by, command }: { by: string; command: NodeCommand }): Turn {
  try {
    const { node, events, outputs } = apply(world, turn.simulation.node, command)
    const next = withNode(turn, node)
    return { ...next, events: [...turn.events, ...events], outputs: [...turn.outputs, ...outputs] }
  } catch (error) {
    return refused(turn, `${by}: ${command.type}`, error).turn
  }
}

/** Returns the turn after a command. Throws what refuses it. */
export function carry(world: World, turn: Turn, command: NodeCommand): Turn {
  return carried(world, turn, command).turn
}

/** Returns the turn after a command with what the command came to. Throws what refuses it. */
export function carried(
  world: World,
  turn: Turn,
  command: NodeCommand,
): { readonly turn: Turn; readonly outcome: Outcome } {
  const { node, events, outputs, outcome } = apply(world, turn.simulation.node, command)
  const next = withNode(turn, node)
  return {
    turn: { ...next, events: [...turn.events, ...events], outputs: [...turn.outputs, ...outputs] },
    outcome,
  }
}

/** Returns the turn whose scenario has noted something. */
export function withFacts(turn: Turn, changed: Partial<Facts>): Turn {
  const { simulation } = turn
  const { progress } = simulation
  const facts = { ...progress.facts, ...changed }
  return { ...turn, simulation: { ...simulation, progress: { ...progress, facts } } }
}
