/**
 * How a running scenario moves on. `advance` says what is next and changes nothing itself: the
 * simulation carries actions out, because only it holds the world.
 */
import type { Plan, PlanStep } from '../node/plan.ts'
import type { Action } from '../node/planAction.ts'
import type { Expected } from '../node/planExpectation.ts'
import { check } from './check.ts'
import { noFacts, type Facts } from './facts.ts'
import { earlier, spanEnd, spanIsOver } from './span.ts'
import { nearText, type Near } from './nearMiss.ts'
import { blockOf, dueMs, holds, triggerText, usedSignals, type Waiting } from './trigger.ts'
import type { Seen } from './verdict.ts'
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

/** What triggers and expectations look at beside the progress itself. */
export type Sight = Omit<Seen, 'phase' | 'tallies' | 'markOf' | 'nearOf'> & Pick<Waiting, 'draw'>

/**
 * `actions` are to be carried out now, in order; `wakeAtMs` is when to look again at the latest.
 */
export type Advance = {
  readonly progress: Progress
  readonly actions: readonly Action[]
  readonly moved: boolean
  readonly wakeAtMs: bigint | undefined
}

/** Returns the progress of a plan that starts at a moment. */
export function startProgress(plan: Plan, now: Moment): Progress {
  const state = plan.steps.length === 0 && plan.until === undefined ? 'passed' : 'running'
  const watch: Watch = { since: now, base: {}, fired: 0 }
  return {
    step: 0, phase: 'waiting', state, started: now, watch, met: [], tallies: {}, near: {},
    marks: {},
    outcomes: {}, rules: {}, signals: [], failures: [], facts: noFacts, ended: false, generation: 1,
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
    ...progress, state, ended: progress.ended && state !== 'running',
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

/**
 * Returns the next move: the actions of a step whose trigger holds, or the verdict on its
 * expectations.
 */
export function advance(plan: Plan, progress: Progress, sight: Sight): Advance {
  const stay = { progress, actions: [], moved: false, wakeAtMs: undefined }
  if (progress.state !== 'running') return stay
  const step = plan.steps[progress.step]
  if (step === undefined) return untilEnd(plan, progress, sight)
  if (progress.phase === 'checking') return judge(plan, progress, { step, sight })
  const waiting = waitingOf(progress, step.id, sight)
  if (progress.phase === 'delayed') {
    const is = step.condition === undefined ? true : sight.conditionIs(step.condition)
    if (is === true) return begin(progress, { step, sight, waiting })
    const failures = is === false ? [] : [failure(step, step.source, is.bad)]
    return finish(plan, progress, { now: sight.now, failures })
  }
  if (holds(step.when, waiting)) {
    const signals = withoutAll(progress.signals, usedSignals(step.when))
    const watch = { ...progress.watch, ...blockOf(step.when, progress.watch), since: sight.now }
    return { ...stay, progress: { ...progress, phase: 'delayed', watch, signals }, moved: true }
  }
  const deadline = progress.watch.since.timeMs + step.timeoutMs
  if (sight.now.timeMs >= deadline) {
    const text = `waited ${step.timeoutMs} ms for ${triggerText(step.when, waiting)}`
    return finish(
      plan, progress, { now: sight.now, failures: [lateFailure(step, step.source, text)] }
    )
  }
  return { ...stay, wakeAtMs: earlier(dueMs(step.when, waiting), deadline) }
}

type Here = { readonly step: PlanStep; readonly sight: Sight; readonly waiting: Waiting }

function begin(progress: Progress, { step, sight: { now } }: Here): Advance {
  const { since } = progress.watch
  if (!spanIsOver(step.delay, since, now)) {
    return { progress, actions: [], moved: false, wakeAtMs: spanEnd(step.delay, since) }
  }
  const { tallies, marks } = progress
  const checking: Progress = {
    ...progress, phase: 'checking', met: [],
    watch: { ...progress.watch, since: now, base: tallies },
    marks: { ...marks, [step.id]: { tallies, at: now } },
  }
  const asks = step.expectations.flatMap(asksOf)
  return {
    progress: checking, actions: [...step.actions, ...asks], moved: true, wakeAtMs: undefined,
  }
}

/** What expectations ask once, wherever they stand inside of one another. */
function asksOf(one: Expected): readonly Action[] {
  if (one.type === 'any' || one.type === 'all') return one.of.flatMap(asksOf)
  if (one.type === 'never') return asksOf(one.of)
  if (one.type !== 'rpc' || one.once === undefined) return []
  const { side, method, params, once: key } = one
  return [{ type: 'ask', key, side, method, params }]
}

/** Returns what a trigger of the scenario looks at. */
export function waitingOf(
  progress: Progress, id: string, { now, draw }: Sight, watch = progress.watch,
): Waiting {
  const { started, tallies, marks, signals, facts, outcomes } = progress
  return {
    id, watch, now, started, tallies, marks, signals, facts, outcomes, draw,
    nearOf: (key) => nearText(progress.near[key]),
  }
}

function judge(plan: Plan, progress: Progress, { step, sight }: Omit<Here, 'waiting'>): Advance {
  const { watch } = progress
  const seen = seenBy(progress, sight)
  const { met, failed, wakeAtMs, isOver } = check(
    step.expectations, { met: progress.met, since: watch.since }, seen
  )
  if (isOver) return finish(
    plan, progress,
    { now: sight.now, failures: failed.map(({ source, text }) => failure(step, source, text)) }
  )
  return { progress: met.length === progress.met.length
    ? progress : { ...progress, met }, actions: [], moved: false, wakeAtMs }
}

/** Returns what expectations of the scenario look at. */
export function seenBy(progress: Progress, sight: Sight): Seen {
  const { tallies, marks, facts, started } = progress
  return {
    ...sight, phase: facts.phase, tallies,
    markOf: (id) => (id === undefined ? undefined : marks[id]) ?? { tallies: {}, at: started },
    nearOf: (key) => nearText(progress.near[key]),
  }
}

type End = { readonly now: Moment; readonly failures: readonly Failure[] }

function finish(plan: Plan, progress: Progress, { now, failures }: End): Advance {
  const step = plan.steps[progress.step]
  const all = [...progress.failures, ...failures]
  const isFailed = failures.length > 0
  const fired = progress.watch.fired + 1
  const isDone = isFailed || fired >= (step?.times ?? 1)
  const next = isDone ? progress.step + 1 : progress.step
  const isLast = next >= plan.steps.length && plan.until === undefined
  const abort = isFailed && step?.onFail === 'abort'
  const state = abort || (isLast && all.length > 0) ? 'failed' : isLast ? 'passed' : 'running'
  const outcome = all.some((one) => one.step === step?.id) ? 'failed' : 'passed'
  return {
    progress: {
      ...progress, step: next, phase: 'waiting', failures: all, state, met: [], near: {},
      // What a step's own actions caused counts for the one after it.
      watch: {
        since: now, base: progress.phase === 'checking' ? progress.watch.base : progress.tallies,
        fired: isDone ? 0 : fired,
        ...(!isDone && progress.watch.block !== undefined && { block: progress.watch.block }),
      },
      outcomes: isDone && step !== undefined
        ? { ...progress.outcomes, [step.id]: outcome }
        : progress.outcomes,
    },
    actions: [], moved: true, wakeAtMs: undefined,
  }
}

/**
 * All steps are done: what the run waits for beyond them. What is counted counts from the start.
 */
function untilEnd({ until }: Plan, progress: Progress, sight: Sight): Advance {
  const watch: Watch = { since: progress.watch.since, base: {}, fired: 0 }
  const waiting = waitingOf(progress, 'until', sight, watch)
  const isOver = until === undefined || holds(until, waiting)
  if (!isOver) return { progress, actions: [], moved: false, wakeAtMs: dueMs(until, waiting) }
  const state = progress.failures.length > 0 ? 'failed' : 'passed'
  return { progress: { ...progress, state }, actions: [], moved: true, wakeAtMs: undefined }
}

function failure({ id }: Pick<PlanStep, 'id'>, source: string, text: string): Failure {
  return { step: id, text, source }
}

/** Returns the failure of a step whose time was over. */
export function lateFailure(step: Pick<PlanStep, 'id'>, source: string, text: string): Failure {
  return { ...failure(step, source, text), isLate: true }
}

/** Returns a list without one of each name. */
export function withoutAll(list: readonly string[], names: readonly string[]): readonly string[] {
  return names.reduce((left, name) => {
    const at = left.indexOf(name)
    return left.filter((_, index) => index !== at)
  }, list)
}
