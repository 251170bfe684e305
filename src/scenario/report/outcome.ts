/** The outcome of a scenario run, as input for reporters. */
import { withMore } from '../../data/distinctTexts.ts'
import type { Plan, PlanStep } from '../../plan/plan.ts'
import type { Diagnostic } from '../diagnostic.ts'
import type { Failure, Progress } from '../progress.ts'
import { unusedText, type UnusedFault } from '../unusedFaults.ts'

export type RunOutcome = {
  /** The path of the scenario file, as given by the user. */
  readonly file: string
  readonly plan: Plan
  readonly progress: Progress
  /** The exit code of the program under test; 0 without one. */
  readonly childCode: number
  /** Whether the program failed before an expectation did. */
  readonly childFailedFirst: boolean
  /** Faults of the scenario that hit no call. */
  readonly unused: readonly UnusedFault[]
  /** A sentence for each masked fault. */
  readonly masked: readonly string[]
  /** The latest calls of clients, oldest first. */
  readonly calls: readonly string[]
  readonly wallMs: number
  /** The duration of each finished step in milliseconds of real time, in the order of the plan. */
  readonly stepMs: readonly number[]
  /** The failures of each earlier attempt, if the scenario was retried (`--retries`). */
  readonly retried?: readonly string[]
  /**
   * Playback results: calls that were not recorded, approximate responses, and responses that
   * differ from those of a node now.
   */
  readonly playback?: {
    readonly misses: readonly string[]
    readonly degraded: readonly string[]
    readonly differences: readonly string[]
    /** How many calls the lists leave out. */
    readonly more?: { readonly misses: number; readonly differences: number }
  }
  /** A sentence for each piece of state that the recording of the forked chain lacks. */
  readonly forkMisses?: readonly string[]
  /** The signal or request that ended the run early, and its exit code. */
  readonly stopped?: { readonly by: string; readonly code: number }
}

/** A scenario that could not run: its file is invalid, or no chain started. */
export type NotRun = {
  /** The path of the scenario file, as given by the user. */
  readonly file: string
  readonly problems: readonly Diagnostic[]
  /** The problems as readable text, with the lines of the file. */
  readonly text: string
  /** The exit code for the reason. */
  readonly code: number
  /** The scenario was skipped because an earlier one failed (`--bail`). */
  readonly isSkipped?: true
}

/** Returns the outcome of a scenario that was skipped because an earlier one failed. */
export function skipped(file: string): NotRun {
  return { file, problems: [], text: 'skipped because an earlier scenario failed', code: 0, isSkipped: true }
}

/** The outcome of one scenario of a command. */
export type CaseOutcome = RunOutcome | NotRun

/** Returns whether a scenario could not run. */
export function isNotRun(outcome: CaseOutcome): outcome is NotRun {
  return 'problems' in outcome
}

export type StepOutcome = {
  readonly step: PlanStep
  /** Real time in milliseconds; undefined for an unfinished step. */
  readonly ms: number | undefined
  readonly state: 'passed' | 'failed' | 'not reached'
  readonly failures: readonly Failure[]
}

/** Returns the outcome of each step, in order. */
export function stepOutcomes({
  plan,
  progress,
  stepMs,
}: Pick<RunOutcome, 'plan' | 'progress' | 'stepMs'>): readonly StepOutcome[] {
  return plan.steps.map((step, index) => {
    const failures = progress.failures.filter((failure) => failure.step === step.id)
    const state = failures.length > 0 ? 'failed' : index < progress.step ? 'passed' : 'not reached'
    return { step, state, failures, ms: stepMs[index] }
  })
}

/**
 * Returns the failures outside the steps, one sentence each; they include those of rules and
 * `until`.
 */
export function otherFailures(outcome: RunOutcome): readonly string[] {
  const { plan, progress } = outcome
  const known = new Set(plan.steps.map(({ id }) => id))
  const beside = progress.failures.filter(({ step }) => !known.has(step))
  return [...beside.map(({ step, source, text }) => `${source}: ${step}: ${text}`), ...runFailures(outcome)]
}

/** Returns the failures of a run as a whole, one sentence each. */
export function runFailures(outcome: RunOutcome): readonly string[] {
  const { plan, playback, forkMisses = [], stopped, childCode, unused, masked } = outcome
  return [
    ...forkMisses,
    ...withMore(playback?.misses ?? [], playback?.more?.misses ?? 0).map((call) => `no recorded response: ${call}`),
    ...withMore(playback?.differences ?? [], playback?.more?.differences ?? 0).map(
      (call) => `response differs from the recording: ${call}`,
    ),
    ...(stopped !== undefined ? [`${stopped.by} ended the run`] : []),
    ...(childCode !== 0 && stopped === undefined ? [`the program ended with exit code ${childCode}`] : []),
    ...(plan.onUnused === 'error' ? unused.map(unusedText) : []),
    ...(plan.onMaskedFault === 'error' ? masked : []),
  ]
}

/** Returns the warnings of a run, one sentence each. */
export function warningsOf({ plan, playback, unused, masked, retried = [] }: RunOutcome): readonly string[] {
  return [
    ...retried.map((text, index) => `attempt ${index + 1} failed and was retried: ${text}`),
    ...(playback?.degraded ?? []).map((call) => `substituted response: ${call}`),
    ...(plan.onUnused === 'error' ? [] : unused.map(unusedText)),
    ...(['error', 'ignore'].includes(plan.onMaskedFault ?? 'warn') ? [] : masked),
  ]
}

/**
 * Returns the exit code of a run (`mocks.md` §3.9). The first case that applies wins:
 *
 * * the scenario could not run: the code of the reason;
 * * playback: 5 if a node now gives different responses, 4 if calls were not recorded, also on the fork
 *   of a recording (other failures may follow from these);
 * * stopped by a signal: 128 plus the signal number;
 * * the program failed first: its exit code;
 * * something failed: 1, or 3 if all failures are timeouts;
 * * the program failed: its exit code;
 * * faults were unused or masked, and that counts as an error: 6;
 * * otherwise 0.
 */
export function exitCode(outcome: CaseOutcome): number {
  if (isNotRun(outcome)) return outcome.code
  const { plan, progress, playback, forkMisses = [], stopped, childCode, childFailedFirst, unused, masked } = outcome
  if (playback !== undefined && playback.differences.length > 0) return 5
  if ((playback?.misses ?? forkMisses).length > 0) return 4
  if (stopped !== undefined) return stopped.code
  if (childCode !== 0 && childFailedFirst) return childCode
  const { state, failures } = progress
  if (state !== 'passed' || failures.length > 0) {
    return failures.every(({ isLate }) => isLate === true) ? 3 : 1
  }
  if (childCode !== 0) return childCode
  const isUnused = plan.onUnused === 'error' && unused.length > 0
  return isUnused || (plan.onMaskedFault === 'error' && masked.length > 0) ? 6 : 0
}

/** Returns the state of a run as a whole: one that failed outside its steps has failed too. */
export function runState(outcome: RunOutcome): Progress['state'] {
  const { state } = outcome.progress
  return state === 'passed' && exitCode(outcome) !== 0 ? 'failed' : state
}

/** Returns the failures of a run in one line, for the report of the next attempt. */
export function failureLine(outcome: RunOutcome): string {
  const steps = outcome.progress.failures.map(({ step, text, source }) => `${source}: ${step}: ${text}`)
  return [...steps, ...runFailures(outcome)].join('; ').replace(/\s*\n\s*/g, ' ')
}
