/** How a run of a scenario ended, for whoever reports it. */
import type { Plan, PlanStep } from '../../node/plan.ts'
import type { Diagnostic } from '../diagnostic.ts'
import type { Failure, Progress } from '../progress.ts'
import { unusedText, type UnusedFault } from '../unusedFaults.ts'

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
  readonly unused: readonly UnusedFault[]
  /** A sentence for each fault that nobody noticed. */
  readonly masked: readonly string[]
  /** The last calls that clients made, oldest first. */
  readonly calls: readonly string[]
  readonly wallMs: number
  /** How long each step took that is over, in real time, in milliseconds; in the order of the plan. */
  readonly stepMs: readonly number[]
  /** What went wrong in each earlier attempt, where a scenario was run again (`--retries`). */
  readonly retried?: readonly string[]
  /** What a recording that was played had no answer to, or another one than a node has now. */
  readonly playback?: {
    readonly misses: readonly string[]
    readonly degraded: readonly string[]
    readonly differences: readonly string[]
  }
  /** The request that ended the run before its time, and the exit code that it stands for. */
  readonly stopped?: { readonly by: string; readonly code: number }
}

/** A scenario that was to be run and could not be: its file is invalid, or no chain started. */
export type NotRun = {
  /** The scenario file as it was named. */
  readonly file: string
  readonly problems: readonly Diagnostic[]
  /** The same for people, with the lines of the file. */
  readonly text: string
  /** The exit code that the reason stands for. */
  readonly code: number
  /** It was left out, because an earlier scenario failed (`--bail`). */
  readonly isSkipped?: true
}

/** Returns the outcome of a scenario that was left out because an earlier one failed. */
export function skipped(file: string): NotRun {
  return { file, problems: [], text: 'skipped because an earlier scenario failed', code: 0, isSkipped: true }
}

/** What became of one scenario of a command. */
export type CaseOutcome = RunOutcome | NotRun

/** Returns whether a scenario could not be run. */
export function isNotRun(outcome: CaseOutcome): outcome is NotRun {
  return 'problems' in outcome
}

export type StepOutcome = {
  readonly step: PlanStep
  /** Real time, undefined for a step that is not over. */
  readonly ms: number | undefined
  readonly state: 'passed' | 'failed' | 'not reached'
  readonly failures: readonly Failure[]
}

/** Returns what became of each step, in order. */
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

/** Returns what is wrong with a run beside its steps, a sentence each; rules and the end too. */
export function otherFailures(outcome: RunOutcome): readonly string[] {
  const { plan, progress } = outcome
  const known = new Set(plan.steps.map(({ id }) => id))
  const beside = progress.failures.filter(({ step }) => !known.has(step))
  return [...beside.map(({ step, source, text }) => `${source}: ${step}: ${text}`), ...runFailures(outcome)]
}

/** Returns what is wrong with a run as a whole, a sentence each. */
export function runFailures({ plan, playback, stopped, childCode, unused, masked }: RunOutcome): readonly string[] {
  return [
    ...(playback?.misses ?? []).map((call) => `no recorded answer: ${call}`),
    ...(playback?.differences ?? []).map((call) => `different now: ${call}`),
    ...(stopped !== undefined ? [`${stopped.by} ended the run`] : []),
    ...(childCode !== 0 && stopped === undefined ? [`the program ended with exit code ${childCode}`] : []),
    ...(plan.onUnused === 'error' ? unused.map(unusedText) : []),
    ...(plan.onMaskedFault === 'error' ? masked : []),
  ]
}

/** Returns what a person should know of a run though nothing failed by it, a sentence each. */
export function warningsOf({ plan, playback, unused, masked, retried = [] }: RunOutcome): readonly string[] {
  return [
    ...retried.map((text, index) => `attempt ${index + 1} failed and was repeated: ${text}`),
    ...(playback?.degraded ?? []).map((call) => `not what was recorded: ${call}`),
    ...(plan.onUnused === 'error' ? [] : unused.map(unusedText)),
    ...(['error', 'ignore'].includes(plan.onMaskedFault ?? 'warn') ? [] : masked),
  ]
}

/**
 * Returns the exit code of a run (`mocks.md` §3.9), the first that applies:
 *
 * * where it could not be run, the code of the reason;
 * * 5 where a node answers differently than what was recorded, 4 for calls that were not recorded:
 *   what failed after them failed because of them;
 * * where it was stopped, 128 and the number of the signal;
 * * the program's own if it failed first;
 * * 1 where something failed, 3 where something did not come in time and nothing else failed;
 * * the program's own;
 * * 6 for faults that were unused or masked where that counts;
 * * 0.
 */
export function exitCode(outcome: CaseOutcome): number {
  if (isNotRun(outcome)) return outcome.code
  const { plan, progress, playback, stopped, childCode, childFailedFirst, unused, masked } = outcome
  if (playback !== undefined && playback.differences.length > 0) return 5
  if (playback !== undefined && playback.misses.length > 0) return 4
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

/** Returns the failures of a run in one line, for the report of the attempt after it. */
export function failureLine(outcome: RunOutcome): string {
  const steps = outcome.progress.failures.map(({ step, text, source }) => `${source}: ${step}: ${text}`)
  return [...steps, ...runFailures(outcome)].join('; ').replace(/\s*\n\s*/g, ' ')
}
