/**
 * An input of the simulation: one of the node, or a command of an operator, which may bring a plan.
 * A recording is a list of inputs.
 */
import type { NodeCommand } from '../node/command.ts'
import type { NodeInput, Stamp } from '../node/input.ts'
import type { Action } from './action.ts'
import type { Fixtures } from './fixtures.ts'
import type { Plan } from './plan.ts'

export type Input = Stamp & InputBody

export type InputBody =
  | NodeInput
  /**
   * A command from the CLI, dashboard, scenario file or a reload; `by` names the source in the
   * journal.
   */
  | { readonly kind: 'operator'; readonly by: string; readonly command: OperatorCommand }

/** A command of the node or of the simulation around it. */
export type OperatorCommand =
  | NodeCommand
  /**
   * Loads a plan, also while a scenario runs; `actions` apply its changes. A failing action cancels
   * the load. `fixtures` are those that the chain has, by default those of its plan.
   */
  | {
      readonly type: 'loadPlan'
      readonly plan: Plan
      readonly actions?: readonly Action[]
      readonly fixtures?: Fixtures
    }
  /** Builds the plan's fixtures, as the first input of a forked chain: it has to fetch state for them. */
  | { readonly type: 'furnish' }
  | { readonly type: 'signal'; readonly name: string }
  /** Ends a run before its last step; `why` is text such as 'time was over'. */
  | { readonly type: 'endPlan'; readonly why: string }
