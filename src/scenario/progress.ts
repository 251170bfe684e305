/**
 * How a running scenario moves on. `advance` says what is next and changes nothing itself: the
 * simulation carries actions out, because only it holds the world.
 */
import type { Expectation, Plan, PlanStep, Trigger } from '../node/plan.ts'
import type { Action } from '../node/planAction.ts'
import { noFacts, type Facts } from './facts.ts'

/**
 * Where the scenario stands: `step` is the one being waited for or checked, `since` where the one
 * before ended, `matched` how many calls its request trigger has seen.
 */
export type Progress = {
  readonly step: number
  readonly phase: 'waiting' | 'checking'
  readonly state: 'running' | 'passed' | 'failed'
  readonly since: Moment
  readonly started: Moment
  readonly matched: number
  readonly signals: readonly string[]
  readonly failures: readonly Failure[]
  readonly facts: Facts
  /** Grows by one with every reload that took effect. */
  readonly generation: number
  /** When the agenda wakes this scenario next. */
  readonly wakeAtMs: bigint | undefined
}

export type Moment = { readonly timeMs: bigint; readonly height: bigint }

export type Failure = { readonly step: string; readonly text: string; readonly source: string }

/** What an expectation may look at. `rpc` calls as a client would, without faults. */
export type Seen = {
  readonly now: Moment
  readonly balanceOf: (who: string) => bigint
  readonly faultApplied: (name: string) => number
  readonly callCount: (method: string) => number
  readonly rpc: (side: 'comet' | 'eth', method: string, params: string) => string
}

/** `actions` are to be carried out now, in order; `wakeAtMs` is when to look again at the latest. */
export type Advance = {
  readonly progress: Progress
  readonly actions: readonly Action[]
  readonly moved: boolean
  readonly wakeAtMs: bigint | undefined
}

/** Returns the progress of a plan that starts at a moment. */
export function startProgress(plan: Plan, now: Moment): Progress {
  return {
    step: 0, phase: 'waiting', state: plan.steps.length === 0 ? 'passed' : 'running', since: now, started: now,
    matched: 0, signals: [], failures: [], facts: noFacts, generation: 1, wakeAtMs: undefined,
  }
}

/**
 * Returns the progress of a plan that was saved while it ran: what has run stays run, what is to come
 * is the new plan's.
 */
export function reloaded(plan: Plan, progress: Progress): Progress {
  const state = progress.state === 'failed' ? 'failed' : progress.step >= plan.steps.length ? 'passed' : 'running'
  return { ...progress, state, generation: progress.generation + 1 }
}

/** Returns the progress with a call counted for the trigger that waits for it. */
export function sawCall(plan: Plan, progress: Progress, side: 'comet' | 'eth', method: string): Progress {
  const when = plan.steps[progress.step]?.when
  const counts = progress.state === 'running' && progress.phase === 'waiting' && when?.type === 'request' &&
    when.method === method && (when.side ?? side) === side
  return counts ? { ...progress, matched: progress.matched + 1 } : progress
}

/** Returns the progress with a signal given; it stays until a step has waited for it. */
export function sawSignal(progress: Progress, name: string): Progress {
  return { ...progress, signals: [...progress.signals, name] }
}

/** Returns the progress after an action that could not be carried out: its step has failed. */
export function actionFailed(progress: Progress, step: PlanStep, text: string): Progress {
  const failures = [...progress.failures, failure(step, step.source, text)]
  return { ...progress, failures, state: step.onFail === 'abort' ? 'failed' : progress.state }
}

/** Returns the next move: the actions of a step whose trigger holds, or the verdict on its expectations. */
export function advance(plan: Plan, progress: Progress, seen: Seen): Advance {
  const stay = { progress, actions: [], moved: false, wakeAtMs: undefined }
  const step = plan.steps[progress.step]
  if (progress.state !== 'running' || step === undefined) return stay
  if (progress.phase === 'checking') return check(plan, progress, step, seen)
  if (holds(step.when, progress, seen)) {
    const signals = step.when.type === 'signal' ? without(progress.signals, step.when.name) : progress.signals
    const checking: Progress = { ...progress, phase: 'checking', since: seen.now, signals }
    return { progress: checking, actions: step.actions, moved: true, wakeAtMs: undefined }
  }
  const deadline = progress.since.timeMs + step.timeoutMs
  if (seen.now.timeMs >= deadline) {
    return finish(plan, progress, seen.now, [failure(step, step.source, `waited ${step.timeoutMs} ms for ${triggerText(step.when)}`)])
  }
  const due = dueMs(step.when, progress)
  return { ...stay, wakeAtMs: due !== undefined && due < deadline ? due : deadline }
}

/** Every expectation must hold; one with `within` has until then, the others hold now or never. */
function check(plan: Plan, progress: Progress, step: PlanStep, seen: Seen): Advance {
  const verdicts = step.expectations.map((one) => ({ one, text: verdict(one, seen) }))
  const unmet = verdicts.filter(({ text }) => text !== undefined)
  const deadlineOf = (one: Expectation) => progress.since.timeMs + (one.withinMs ?? 0n)
  const late = unmet.filter(({ one }) => seen.now.timeMs >= deadlineOf(one))
  if (late.length > 0 || unmet.length === 0) {
    return finish(plan, progress, seen.now, late.map(({ one, text }) => failure(step, one.source, text ?? '')))
  }
  const next = unmet.map(({ one }) => deadlineOf(one)).reduce((a, b) => (a < b ? a : b))
  return { progress, actions: [], moved: false, wakeAtMs: next }
}

function finish(plan: Plan, progress: Progress, now: Moment, failures: readonly Failure[]): Advance {
  const step = plan.steps[progress.step]
  const all = [...progress.failures, ...failures]
  const last = progress.step + 1 >= plan.steps.length
  const abort = failures.length > 0 && step?.onFail === 'abort'
  const state = abort || (last && all.length > 0) ? 'failed' : last ? 'passed' : 'running'
  return {
    progress: { ...progress, step: progress.step + 1, phase: 'waiting', since: now, matched: 0, failures: all, state },
    actions: [], moved: true, wakeAtMs: undefined,
  }
}

function failure(step: PlanStep, source: string, text: string): Failure {
  return { step: step.id, text, source }
}

function without(list: readonly string[], name: string): readonly string[] {
  const at = list.indexOf(name)
  return list.filter((_, index) => index !== at)
}

function holds(when: Trigger, progress: Progress, { now }: Seen): boolean {
  switch (when.type) {
    case 'immediately': return true
    case 'height': return now.height >= when.height
    case 'blocks': return now.height >= progress.since.height + when.count
    case 'after':
    case 'time': return now.timeMs >= (dueMs(when, progress) ?? 0n)
    case 'request': return progress.matched >= when.nth
    case 'signal': return progress.signals.includes(when.name)
  }
}

/** When a trigger of time holds, in simulation time; undefined for the others. */
function dueMs(when: Trigger, progress: Progress): bigint | undefined {
  if (when.type === 'after') return progress.since.timeMs + when.ms
  if (when.type === 'time') return progress.started.timeMs + when.ms
  return undefined
}

function triggerText(when: Trigger): string {
  switch (when.type) {
    case 'immediately': return 'nothing'
    case 'height': return `height ${when.height}`
    case 'blocks': return `${when.count} blocks`
    case 'after': return `${when.ms} ms after the step before`
    case 'time': return `${when.ms} ms after the start`
    case 'request': return `call ${when.nth} of ${when.method}`
    case 'signal': return `the signal "${when.name}"`
  }
}

/** Returns why an expectation does not hold, or undefined when it does. */
function verdict(one: Expectation, seen: Seen): string | undefined {
  switch (one.type) {
    case 'height': return range('height', seen.now.height, one)
    case 'balance': return range('balance', seen.balanceOf(one.who), one)
    case 'faultApplied': return range(`fault "${one.name}" applied`, seen.faultApplied(one.name), one)
    case 'calls': return range(`calls of ${one.method}`, seen.callCount(one.method), one)
    case 'rpc': {
      const text = seen.rpc(one.side, one.method, one.params)
      const value = textAt(text, one.path)
      return value === one.equals ? undefined : `${one.method} ${one.path || 'result'}: expected ${one.equals}, received ${value}`
    }
  }
}

type Range = { readonly min: bigint | number | undefined; readonly max: bigint | number | undefined }

function range(what: string, value: bigint | number, { min, max }: Range): string | undefined {
  if (min !== undefined && value < min) return `${what}: expected at least ${min}, was ${value}`
  if (max !== undefined && value > max) return `${what}: expected at most ${max}, was ${value}`
  return undefined
}

/** Returns the JSON text at a dotted path of a JSON-RPC result; `absent` where there is none. */
function textAt(text: string, path: string): string {
  let value: unknown = JSON.parse(text)
  for (const part of path === '' ? [] : path.split('.')) {
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[part] : undefined
  }
  return value === undefined ? 'absent' : JSON.stringify(value)
}
