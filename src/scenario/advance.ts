/**
 * Moves a running scenario forward. `advance` only returns the next move; the simulation runs the
 * actions, because only it has access to the world.
 */
import { mapGet, mapSet } from '../data/persistentMap.ts'
import type { Plan, PlanStep } from '../plan/plan.ts'
import type { Action } from '../plan/action.ts'
import type { Expected } from '../plan/expectation.ts'
import { broadcastRefusal, broadcastsOf, withoutBroadcasts } from './broadcasts.ts'
import { check } from './check.ts'
import { type Moment, type Watch, earlier, spanEnd, spanIsOver } from './span.ts'
import { nearText } from './nearMiss.ts'
import { type Failure, type Progress, failure, lateFailure } from './progress.ts'
import { type TriggerInput, blockOf, dueMs, holds, triggerText, usedSignals } from './trigger.ts'
import type { Seen } from './verdict.ts'

/** The input of triggers and expectations, besides the scenario's progress. */
export type Sight = Omit<Seen, 'phase' | 'tallies' | 'markOf' | 'nearOf'> & Pick<TriggerInput, 'draw'>

/**
 * The next move. `actions` run now, in order; `wakeAtMs` is the latest time for the next check, in
 * simulation milliseconds.
 */
export type Advance = {
  readonly progress: Progress
  readonly actions: readonly Action[]
  readonly moved: boolean
  readonly wakeAtMs: bigint | undefined
}

/**
 * Returns the next move: the actions of a step whose trigger fires, or the result of its
 * expectations.
 */
export function advance(plan: Plan, progress: Progress, sight: Sight): Advance {
  const stay = { progress, actions: [], moved: false, wakeAtMs: undefined }
  if (progress.state !== 'running') return stay
  const step = plan.steps[progress.step]
  if (step === undefined) return untilEnd(plan, progress, sight)
  if (progress.phase === 'checking') return judge(plan, progress, { step, sight })
  const waiting = triggerInput(progress, step.id, sight)
  if (progress.phase === 'delayed') return begin(progress, { step, sight, waiting })
  if (holds(step.when, waiting)) {
    const signals = withoutAll(progress.signals, usedSignals(step.when, waiting))
    const watch = { ...progress.watch, ...blockOf(step.when, progress.watch), since: sight.now }
    const delayed: Progress = { ...progress, phase: 'delayed', watch, signals }
    const is = step.condition === undefined ? true : sight.conditionIs(step.condition)
    if (is === true) return { ...stay, progress: delayed, moved: true }
    const failures = is === false ? [] : [failure(step, step.source, is.bad)]
    return finish(plan, delayed, { now: sight.now, failures })
  }
  const deadline = progress.watch.since.timeMs + step.timeoutMs
  if (sight.now.timeMs >= deadline) {
    const text = `waited ${step.timeoutMs} ms for ${triggerText(step.when, waiting)}`
    return finish(plan, progress, { now: sight.now, failures: [lateFailure(step, step.source, text)] })
  }
  return { ...stay, wakeAtMs: earlier(dueMs(step.when, waiting), deadline) }
}

type Here = { readonly step: PlanStep; readonly sight: Sight; readonly waiting: TriggerInput }

function begin(progress: Progress, { step, sight: { now } }: Here): Advance {
  const { since } = progress.watch
  if (!spanIsOver(step.delay, since, now)) {
    return { progress, actions: [], moved: false, wakeAtMs: spanEnd(step.delay, since) }
  }
  const { tallies, marks } = progress
  const checking: Progress = {
    ...progress,
    phase: 'checking',
    met: [],
    watch: { ...progress.watch, since: now, base: tallies },
    marks: mapSet(marks, step.id, { tallies, at: now }),
  }
  const asks = step.expectations.flatMap(asksOf)
  return {
    progress: checking,
    actions: [...step.actions, ...asks],
    moved: true,
    wakeAtMs: undefined,
  }
}

/**
 * Returns the calls that a reload added to the expectations of the current step while they are
 * checked. A step that is not checked yet makes its calls when its actions run.
 */
export function addedAsks({ steps }: Plan, { phase, step, facts: { late } }: Progress): readonly Action[] {
  if (phase !== 'checking') return []
  const asks = (steps[step]?.expectations ?? []).flatMap(asksOf)
  return asks.filter((one) => one.type === 'ask' && !Object.hasOwn(late, one.key))
}

/** Returns the calls that an expectation and its nested expectations make once. */
function asksOf(one: Expected): readonly Action[] {
  if (one.type === 'any' || one.type === 'all') return one.of.flatMap(asksOf)
  if (one.type === 'never') return asksOf(one.of)
  if (one.type !== 'rpc' || one.once === undefined) return []
  const { side, method, params, once: key } = one
  return [{ type: 'ask', key, side, method, params }]
}

/** Returns the input of a trigger. */
export function triggerInput(
  progress: Progress,
  id: string,
  { now, draw }: Sight,
  watch = progress.watch,
): TriggerInput {
  const { started, tallies, marks, signals, facts, outcomes } = progress
  return {
    id,
    watch,
    now,
    started,
    tallies,
    marks,
    signals,
    facts,
    outcomes,
    draw,
    nearOf: (key) => nearText(progress.near[key]),
  }
}

function judge(plan: Plan, progress: Progress, { step, sight }: Omit<Here, 'waiting'>): Advance {
  const { watch, facts } = progress
  if (broadcastsOf(facts, step.id).length > 0) return answered(plan, progress, { step, sight })
  const seen = seenBy(progress, sight)
  const { met, failed, wakeAtMs, isOver } = check(step.expectations, { met: progress.met, since: watch.since }, seen)
  if (isOver)
    return finish(plan, progress, {
      now: sight.now,
      failures: failed.map(({ source, text }) => failure(step, source, text)),
    })
  return {
    progress: met.length === progress.met.length ? progress : { ...progress, met },
    actions: [],
    moved: false,
    wakeAtMs,
  }
}

/** Returns the input of expectations. */
export function seenBy(progress: Progress, sight: Sight): Seen {
  const { tallies, marks, facts, started } = progress
  return {
    ...sight,
    phase: facts.phase,
    tallies,
    markOf: (id) => (id === undefined ? undefined : mapGet(marks, id)) ?? { tallies: {}, at: started },
    nearOf: (key) => nearText(progress.near[key]),
  }
}

/** Waits for the responses to the step's broadcasts. The spans of its expectations start then. */
function answered(plan: Plan, progress: Progress, { step, sight: { now } }: Omit<Here, 'waiting'>): Advance {
  const { watch } = progress
  const broadcasts = broadcastsOf(progress.facts, step.id)
  const after = { ...progress, facts: withoutBroadcasts(progress.facts, step.id) }
  if (broadcasts.some(({ answer }) => answer === undefined)) {
    const deadline = watch.since.timeMs + step.timeoutMs
    if (now.timeMs < deadline)
      return {
        progress,
        actions: [],
        moved: false,
        wakeAtMs: deadline,
      }
    const text = `waited ${step.timeoutMs} ms for the response to a broadcast`
    return finish(plan, after, { now, failures: [lateFailure(step, step.source, text)] })
  }
  const failures = broadcasts.flatMap(({ answer, mayFail }) => {
    const why = answer === undefined || mayFail ? undefined : broadcastRefusal(answer)
    return why === undefined ? [] : [failure(step, step.source, `cosmosTx was refused: ${why}`)]
  })
  if (failures.length > 0) return finish(plan, after, { now, failures })
  return {
    progress: { ...after, watch: { ...watch, since: now } },
    actions: [],
    moved: true,
    wakeAtMs: undefined,
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
      ...progress,
      step: next,
      phase: 'waiting',
      failures: all,
      state,
      met: [],
      near: {},
      // Events that the step's own actions caused count for the next step.
      watch: {
        since: now,
        base: progress.phase === 'checking' ? progress.watch.base : progress.tallies,
        fired: isDone ? 0 : fired,
        ...(!isDone && progress.watch.block !== undefined && { block: progress.watch.block }),
      },
      outcomes: isDone && step !== undefined ? mapSet(progress.outcomes, step.id, outcome) : progress.outcomes,
    },
    actions: [],
    moved: true,
    wakeAtMs: undefined,
  }
}

/**
 * Waits for the `until` trigger after the last step. Its counters count from the start of the run.
 */
function untilEnd({ until }: Plan, progress: Progress, sight: Sight): Advance {
  const watch: Watch = { since: progress.watch.since, base: {}, fired: 0 }
  const waiting = triggerInput(progress, 'until', sight, watch)
  const isOver = until === undefined || holds(until, waiting)
  if (!isOver) return { progress, actions: [], moved: false, wakeAtMs: dueMs(until, waiting) }
  const state = progress.failures.length > 0 ? 'failed' : 'passed'
  return { progress: { ...progress, state }, actions: [], moved: true, wakeAtMs: undefined }
}

/** Returns the list with one occurrence of each name removed. */
export function withoutAll(list: readonly string[], names: readonly string[]): readonly string[] {
  return names.reduce((left, name) => {
    const at = left.indexOf(name)
    return left.filter((_, index) => index !== at)
  }, list)
}
