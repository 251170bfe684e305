/**
 * Where a running scenario stands, and how what is done to it from outside changes that.
 */
import type { Plan, PlanStep } from '../node/plan.ts'
import type { Action } from '../node/planAction.ts'
import { noFacts, type Facts } from './facts.ts'
import type { Near } from './nearMiss.ts'
import type { Mark, Moment, Tallies, Watch } from './watch.ts'

/**
 * Where the scenario stands: `step` is the one being waited for or checked, `watch` how far that
 * is, `met` which of its expectations have held. `marks` are from when each step began.
 */
export type Progress = {
  readonly step: number
  readonly phase: 'waiting' | 'delayed' | 'checking'
  readonly state: 'running' | 'passed' | 'failed'
  readonly started: Moment
  readonly watch: Watch
  readonly met: readonly number[]
  readonly tallies: Tallies
  /** What was nearly counted since the step before, by the key of its counter. */
  readonly near: Readonly<Record<string, Near>>
  readonly marks: Readonly<Record<string, Mark>>
  readonly outcomes: Readonly<Record<string, 'passed' | 'failed'>>
  readonly rules: Readonly<Record<string, RuleProgress>>
  readonly signals: readonly string[]
  readonly failures: readonly Failure[]
  readonly facts: Facts
  /** Whether what is to be done at the end has been. */
  readonly ended: boolean
  /** Grows by one with every reload that took effect. */
  readonly generation: number
  /** When the agenda wakes this scenario next. */
  readonly wakeAtMs: bigint | undefined
  /** Blocks that an action mines in slices; everything else of the scenario waits for them. */
  readonly mining?: Mining
}

/** The node's job with this id, and the actions that come after it. */
export type Mining = { readonly job: number; readonly rest: readonly Attempt[] }

/** An action of a step or rule; `index` counts how often that has acted, `place` its actions. */
export type Attempt = {
  readonly action: Action
  readonly occasion: { readonly id: string; readonly index: number; readonly place: number }
  readonly step: Failed
}

/** A rule whose trigger held waits until its delay is over, which began at `heldAt`. */
export type RuleProgress = { readonly watch: Watch; readonly heldAt: Moment | undefined }

export type Failure = {
  readonly step: string
  readonly text: string
  readonly source: string
  /** It did not come in time. */
  readonly isLate?: true
}

/** Returns the progress of a plan that starts at a moment. */
export function startProgress(plan: Plan, now: Moment): Progress {
  const state = plan.steps.length === 0 && plan.until === undefined ? 'passed' : 'running'
  const watch: Watch = { since: now, base: {}, fired: 0 }
  return {
    step: 0,
    phase: 'waiting',
    state,
    started: now,
    watch,
    met: [],
    tallies: {},
    near: {},
    marks: {},
    outcomes: {},
    rules: {},
    signals: [],
    failures: [],
    facts: noFacts,
    ended: false,
    generation: 1,
    wakeAtMs: undefined,
  }
}

/**
 * Returns the progress of a plan that was saved while it ran: what has run stays run, what is to
 * come is the new plan's.
 */
export function reloaded(plan: Plan, progress: Progress): Progress {
  const isOver = progress.step >= plan.steps.length && plan.until === undefined
  const state = progress.state === 'failed' ? 'failed' : isOver ? 'passed' : 'running'
  return {
    ...progress,
    state,
    ended: progress.ended && state !== 'running',
    generation: progress.generation + 1,
  }
}

/** Returns the progress with a signal given; it stays until a step or rule has waited for it. */
export function sawSignal(progress: Progress, name: string): Progress {
  return { ...progress, signals: [...progress.signals, name] }
}

/** Returns the progress after an action that could not be carried out: its step has failed. */
export function actionFailed(progress: Progress, step: Failed, text: string): Progress {
  const failures = [...progress.failures, failure(step, step.source, text)]
  return { ...progress, failures, state: step.onFail === 'abort' ? 'failed' : progress.state }
}

export type Failed = Pick<PlanStep, 'id' | 'source' | 'onFail'>

/** Returns that a step failed, and why. */
export function failure({ id }: Pick<PlanStep, 'id'>, source: string, text: string): Failure {
  return { step: id, text, source }
}

/** Returns the failure of a step whose time was over. */
export function lateFailure(step: Pick<PlanStep, 'id'>, source: string, text: string): Failure {
  return { ...failure(step, source, text), isLate: true }
}
