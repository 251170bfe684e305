/**
 * A compiled scenario: what `scenario/compile.ts` makes of a file, with every unit turned into a
 * number. The file itself never reaches the core.
 */
import type { FaultRule } from '../fault/rule.ts'
import { type Fixtures, noFixtures } from './fixtures.ts'
import type { Action, Span } from './planAction.ts'
import type { Expectation } from './planExpectation.ts'
import type { Counter, Trigger } from './planTrigger.ts'

export type Plan = {
  readonly name: string
  readonly description: string
  /** sha256 of the canonical form: the same file gives the same plan. */
  readonly digest: string
  readonly seed: string
  readonly fixtures: Fixtures
  readonly faults: readonly FaultRule[]
  readonly steps: readonly PlanStep[]
  /** What happens whenever something does, beside the steps. */
  readonly rules?: readonly PlanRule[]
  /** Carried out when the steps are over, however they ended. */
  readonly finally?: readonly Action[]
  /** What triggers and expectations count, each once. */
  readonly counters?: readonly Counter[]
  /** What must have come before the scenario has passed. */
  readonly until?: Trigger
  readonly timeoutMs: bigint
  /** What a fault is that nobody noticed: of itself a warning. */
  readonly onMaskedFault?: 'ignore' | 'warn' | 'error'
  /** Whether a fault that hits no call makes a run fail. */
  readonly onUnused?: 'warn' | 'error'
}

/**
 * A step waits for `when` and `delay`, runs its actions in order, then its expectations must hold.
 */
export type PlanStep = {
  readonly id: string
  /** An expression: where it is false when the trigger holds, nothing happens. */
  readonly condition?: string
  readonly when: Trigger
  readonly delay?: Span
  readonly actions: readonly Action[]
  readonly expectations: readonly Expectation[]
  /** How often all of this happens. */
  readonly times?: number
  readonly timeoutMs: bigint
  readonly onFail: 'abort' | 'continue'
  /** Where it stands in the file, for reports: `scenarios/slow-node.json5:14`. */
  readonly source: string
}

/** `phase` limits a rule to a phase of the scenario; `times` undefined is without end. */
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

/** What is followed without a scenario: nothing. */
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
