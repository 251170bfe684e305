/** How a run of a scenario ended, for whoever reports it. */
import type { Plan, PlanStep } from '../../node/plan.ts'
import type { Failure, Progress } from '../progress.ts'

export type RunOutcome = {
  /** The scenario file as it was named. */
  readonly file: string
  readonly plan: Plan
  readonly progress: Progress
  /** The exit code of the program that was run against it; 0 without one. */
  readonly childCode: number
  /** Whether the program had failed before an expectation did. */
  readonly childFailedFirst: boolean
  /** Faults of the scenario that hit no call. */
  readonly unused: readonly string[]
  /** A sentence for each fault that nobody noticed. */
  readonly masked: readonly string[]
  /** The last calls that clients made, oldest first. */
  readonly calls: readonly string[]
  readonly wallMs: number
}

export type StepOutcome = {
  readonly step: PlanStep
  readonly state: 'passed' | 'failed' | 'not reached'
  readonly failures: readonly Failure[]
}

/** Returns what became of each step, in order. */
export function stepOutcomes(
  { plan, progress }: Pick<RunOutcome, 'plan' | 'progress'>,
): readonly StepOutcome[] {
  return plan.steps.map((step, index) => {
    const failures = progress.failures.filter((failure) => failure.step === step.id)
    const state = failures.length > 0 ? 'failed' : index < progress.step ? 'passed' : 'not reached'
    return { step, state, failures }
  })
}

/** Returns what is wrong with a run beside its steps, a sentence each; rules and the end too. */
export function otherFailures(outcome: RunOutcome): readonly string[] {
  const { plan, progress } = outcome
  const known = new Set(plan.steps.map(({ id }) => id))
  const beside = progress.failures.filter(({ step }) => !known.has(step))
  return [
    ...beside.map(({ step, source, text }) => `${source}: ${step}: ${text}`),
    ...runFailures(outcome),
  ]
}

/** Returns what is wrong with a run as a whole, a sentence each. */
export function runFailures({ plan, childCode, unused, masked }: RunOutcome): readonly string[] {
  return [
    ...(childCode !== 0 ? [`the program ended with exit code ${childCode}`] : []),
    ...(plan.onUnused === 'error' ? unused.map((name) => `the fault "${name}" hit no call`) : []),
    ...(plan.onMaskedFault === 'error' ? masked : []),
  ]
}

/** Returns what a person should know of a run though nothing failed by it, a sentence each. */
export function warningsOf({ plan, unused, masked }: RunOutcome): readonly string[] {
  return [
    ...(plan.onUnused === 'error' ? [] : unused.map((name) => `the fault "${name}" hit no call`)),
    ...(['error', 'ignore'].includes(plan.onMaskedFault ?? 'warn') ? [] : masked),
  ]
}

/**
 * Returns the exit code of a run (`mocks.md` §3.9): 0 passed, 1 something failed, 3 something did
 * not come in time and nothing else failed, 6 faults that were unused or masked where that counts,
 * or the program's own if it failed first.
 */
export function exitCode(outcome: RunOutcome): number {
  const { plan, progress, childCode, childFailedFirst, unused, masked } = outcome
  if (childCode !== 0 && childFailedFirst) return childCode
  const { state, failures } = progress
  if (state !== 'passed' || failures.length > 0) {
    return failures.every(({ isLate }) => isLate === true) ? 3 : 1
  }
  if (childCode !== 0) return childCode
  const isUnused = plan.onUnused === 'error' && unused.length > 0
  return isUnused || (plan.onMaskedFault === 'error' && masked.length > 0) ? 6 : 0
}
