/**
 * A compiled scenario: the output of `scenario/compile.ts`, with every unit converted to a number.
 * The file itself never reaches the core.
 */
import type { FaultRule } from '../fault/rule.ts'
import { type Fixtures, noFixtures } from './fixtures.ts'
import type { Action, Span } from './action.ts'
import type { Expectation } from './expectation.ts'
import type { Counter, Trigger } from './trigger.ts'

export type Plan = {
  readonly name: string
  readonly description: string
  /** sha256 of the canonical form: equal files give equal plans. */
  readonly digest: string
  readonly seed: string
  readonly fixtures: Fixtures
  readonly faults: readonly FaultRule[]
  readonly steps: readonly PlanStep[]
  /** Rules that run next to the steps, whenever their trigger fires. */
  readonly rules?: readonly PlanRule[]
  /** Actions that run after the steps, however the steps ended. */
  readonly finally?: readonly Action[]
  /** Everything that triggers and expectations count, without duplicates. */
  readonly counters?: readonly Counter[]
  /** The trigger that must fire before the scenario passes. */
  readonly until?: Trigger
  readonly timeoutMs: bigint
  /** How to report a masked fault (one that a client's retry hid); default 'warn'. */
  readonly onMaskedFault?: 'ignore' | 'warn' | 'error'
  /** Whether a fault that hits no call makes a run fail. */
  readonly onUnused?: 'warn' | 'error'
}

/**
 * A step: waits for `when` and `delay`, runs its actions in order, then checks its expectations.
 */
export type PlanStep = {
  readonly id: string
  /** An expression. If it is false when the trigger fires, the step does nothing. */
  readonly condition?: string
  readonly when: Trigger
  readonly delay?: Span
  readonly actions: readonly Action[]
  readonly expectations: readonly Expectation[]
  /** How often the step repeats. */
  readonly times?: number
  readonly timeoutMs: bigint
  readonly onFail: 'abort' | 'continue'
  /** File and line for reports: `scenarios/slow-node.json5:14`. */
  readonly source: string
}

/** `phase` limits a rule to a phase of the scenario; `times` undefined means no limit. */
export type PlanRule = {
  readonly id: string
  readonly condition?: string
  readonly when: Trigger
  readonly phase?: string
  readonly delay?: Span
  readonly actions: readonly Action[]
  readonly times: number | undefined
  readonly source: string
}

/** Returns all actions of a plan: those of its steps and rules, and the last ones. */
export function actionsOf({ steps, rules = [], finally: last = [] }: Plan): readonly Action[] {
  const single = (action: Action): readonly Action[] =>
    action.type === 'several' ? action.actions.flatMap(single) : [action]
  return [...[...steps, ...rules].flatMap(({ actions }) => actions), ...last].flatMap(single)
}

/** The empty plan of a chain without a scenario. */
export const noPlan: Plan = {
  name: 'none',
  description: '',
  digest: '',
  seed: 'chainstage',
  fixtures: noFixtures,
  faults: [],
  steps: [],
  timeoutMs: 0n,
}
