/** The progress of a running scenario, and its changes by signals, reloads and failures. */
import { canonicalJson } from '../data/canonicalJson.ts'
import { emptyMap, type PersistentMap } from '../data/persistentMap.ts'
import type { Plan, PlanStep } from '../plan/plan.ts'
import type { Action } from '../plan/action.ts'
import { noFacts, type Facts } from './facts.ts'
import type { Near } from './nearMiss.ts'
import type { Mark, Moment, Tallies, Watch } from './span.ts'

/**
 * The progress of a scenario. `step` is the current step, `watch` the progress of its trigger, and
 * `met` lists its expectations that have held. `marks` hold the tallies from the beginning of each
 * step, by its id, and `outcomes` how it ended.
 */
export type Progress = {
  readonly step: number
  readonly phase: 'waiting' | 'delayed' | 'checking'
  readonly state: 'running' | 'passed' | 'failed'
  readonly started: Moment
  readonly watch: Watch
  readonly met: readonly number[]
  readonly tallies: Tallies
  /** Near misses since the previous step, by counter key. */
  readonly near: Readonly<Record<string, Near>>
  readonly marks: PersistentMap<Mark>
  readonly outcomes: PersistentMap<'passed' | 'failed'>
  readonly rules: Readonly<Record<string, RuleProgress>>
  readonly signals: readonly string[]
  readonly failures: readonly Failure[]
  readonly facts: Facts
  /** Whether the actions of `finally` have run. */
  readonly ended: boolean
  /** Increases by one with every successful reload. */
  readonly generation: number
  /** The next time, in simulation milliseconds, at which the agenda wakes this scenario. */
  readonly wakeAtMs: bigint | undefined
  /** A mining job of an action; the rest of the scenario waits for it. */
  readonly mining?: Mining
  /** The moves so far at an instant that has more of them, which the next input makes. */
  readonly goesOn?: { readonly timeMs: bigint; readonly moves: number }
}

/** The id of the node's mining job, and the actions that follow it. */
export type Mining = { readonly job: number; readonly rest: readonly Attempt[] }

/** An action of a step or rule; `index` is the repetition, `place` the position of the action. */
export type Attempt = {
  readonly action: Action
  readonly occasion: { readonly id: string; readonly index: number; readonly place: number }
  readonly step: Failed
}

/** A rule whose trigger fired waits until its delay, which began at `heldAt`, is over. */
export type RuleProgress = { readonly watch: Watch; readonly heldAt: Moment | undefined }

export type Failure = {
  readonly step: string
  readonly text: string
  readonly source: string
  /** The failure is a timeout. */
  readonly isLate?: true
}

/** Returns the progress of a plan that starts now. */
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
    marks: emptyMap,
    outcomes: emptyMap,
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
 * Returns the progress after a reload: finished steps stay finished, the remaining steps are those
 * of the new plan. If the expectations of the current step differ, all of them are checked again.
 * A step with another id in its place has not begun.
 */
export function reloaded(plan: Plan, progress: Progress, old: Plan): Progress {
  const isOver = progress.step >= plan.steps.length && plan.until === undefined
  const state = progress.state === 'failed' ? 'failed' : isOver ? 'passed' : 'running'
  const [was, now] = [old, plan].map(({ steps }) => steps[progress.step])
  const next = was?.id === now?.id ? checkedAgain(progress, was, now) : notBegun(progress)
  return {
    ...next,
    state,
    ended: progress.ended && state !== 'running',
    generation: progress.generation + 1,
  }
}

type Step = PlanStep | undefined

function checkedAgain(progress: Progress, was: Step, now: Step): Progress {
  const expected = (step: Step) => canonicalJson((step?.expectations ?? []).map((one) => ({ ...one, source: '' })))
  return progress.met.length > 0 && expected(was) !== expected(now) ? { ...progress, met: [] } : progress
}

function notBegun(progress: Progress): Progress {
  const { block: _, ...watch } = progress.watch
  return { ...progress, phase: 'waiting', met: [], watch: { ...watch, fired: 0 } }
}

/** Returns the progress with a signal, which is kept until a step or rule uses it. */
export function sawSignal(progress: Progress, name: string): Progress {
  return { ...progress, signals: [...progress.signals, name] }
}

/**
 * Returns the progress after the chain went back to a height, as after a rollback or the restore of a
 * checkpoint. Blocks count from there for everything that waits for blocks.
 */
export function wentBack(progress: Progress, height: bigint): Progress {
  const lowest = (other: bigint) => (other < height ? other : height)
  const moment = (one: Moment): Moment => ({ ...one, height: lowest(one.height) })
  const watch = ({ block, since, ...rest }: Watch): Watch => ({
    ...rest,
    since: moment(since),
    ...(block !== undefined && { block: lowest(block) }),
  })
  const rules = Object.entries(progress.rules).map(([id, { watch: own, heldAt }]): [string, RuleProgress] => [
    id,
    { watch: watch(own), heldAt: heldAt && moment(heldAt) },
  ])
  return {
    ...progress,
    started: moment(progress.started),
    watch: watch(progress.watch),
    rules: Object.fromEntries(rules),
  }
}

/** Returns the progress after a failed action, which fails its step. */
export function actionFailed(progress: Progress, step: Failed, text: string): Progress {
  const failures = [...progress.failures, failure(step, step.source, text)]
  return { ...progress, failures, state: step.onFail === 'abort' ? 'failed' : progress.state }
}

export type Failed = Pick<PlanStep, 'id' | 'source' | 'onFail'>

/** Returns the failure of a step. */
export function failure({ id }: Pick<PlanStep, 'id'>, source: string, text: string): Failure {
  return { step: id, text, source }
}

/** Returns the failure of a step that timed out. */
export function lateFailure(step: Pick<PlanStep, 'id'>, source: string, text: string): Failure {
  return { ...failure(step, source, text), isLate: true }
}
