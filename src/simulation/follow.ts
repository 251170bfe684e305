/** Follows the scenario: asks what is next, carries it out, and asks again until nothing moves. */
import { addDue } from '../data/agenda.ts'
import { canonicalJson } from '../data/canonicalJson.ts'
import { isExpected } from '../errors.ts'
import { isMining } from '../node/mining.ts'
import type { Plan, PlanRule } from '../node/plan.ts'
import type { Action } from '../node/planAction.ts'
import type { World } from '../node/world.ts'
import { actionFailed, type Attempt, reloaded, type Failed, type Progress } from '../scenario/progress.ts'
import { afterRule, nextRule } from '../scenario/rules.ts'
import { earlier } from '../scenario/span.ts'
import { act, atOnce } from './act.ts'
import { sustain } from './actState.ts'
import { observed } from './observe.ts'
import { sightOf } from './sight.ts'
import { advance } from '../scenario/advance.ts'
import { type Simulation, type Turn, withBug, withNode } from './turn.ts'

/** More moves than this at one instant are a circle. */
const movesMost = 10_000

/** A rule that fires more often than this at one instant is one of a circle. */
const firingsMost = 64

/** Returns the turn after everything the scenario does now. */
export function follow(world: World, turn: Turn): Turn {
  if (isIdle(turn)) return turn
  const firings = new Map<string, number>()
  let next = turn
  for (let moves = 0; moves < movesMost; moves++) {
    const { turn: seen, isNewBlock } = observed(world, next)
    next = sustain(world, seen, isNewBlock)
    if (next.told < next.events.length) continue
    const done = move(world, next, firings)
    if (done.turn === undefined) return woken(next, done.wakeAtMs)
    next = done.turn
  }
  const text = `the scenario moved ${movesMost} times without time passing`
  return { ...next, outputs: [...next.outputs, { kind: 'log', level: 'error', text }] }
}

/** Nothing to wait for, to repeat or to tidy up. */
function isIdle({ simulation: { plan, progress } }: Turn): boolean {
  return (
    progress.state !== 'running' &&
    progress.ended &&
    progress.mining === undefined &&
    (plan.rules ?? []).length === 0 &&
    progress.facts.sustained.length === 0
  )
}

type Moved = { readonly turn: Turn | undefined; readonly wakeAtMs: bigint | undefined }

/** Steps come first, then rules in the order of the file, then the end. */
function move(world: World, turn: Turn, firings: Map<string, number>): Moved {
  const { plan, progress, node } = turn.simulation
  if (progress.mining !== undefined) {
    const { mining, ...rest } = progress
    // A run that is over waits for nothing.
    if (progress.state === 'running' && isMining(node, mining.job)) return { turn: undefined, wakeAtMs: undefined }
    return { turn: tryInTurn(world, withProgress(turn, rest), mining.rest), wakeAtMs: undefined }
  }
  const sight = sightOf(world, turn.simulation)
  const step = advance(plan, progress, sight)
  if (step.moved) {
    const planned = plan.steps[progress.step]
    const told = withFailures(withProgress(turn, step.progress), progress)
    return { turn: tryAll(world, told, step.actions, planned ?? plan), wakeAtMs: undefined }
  }
  if (progress.state === 'failed' && progress.ended) return { turn: undefined, wakeAtMs: undefined }
  const fired = nextRule(plan, step.progress, sight)
  if (fired.moved) {
    const { rule } = fired
    const held = withProgress(turn, fired.progress)
    if (rule === undefined) return { turn: held, wakeAtMs: undefined }
    const acted = observed(world, tryAll(world, held, rule.actions, rule)).turn
    if (isCircle(firings, rule, { before: held, after: acted })) {
      return { turn: circled(held, rule.id, rule.source), wakeAtMs: undefined }
    }
    const over = afterRule(acted.simulation.progress, rule)
    return { turn: withProgress(acted, over), wakeAtMs: undefined }
  }
  if (progress.state !== 'running' && !progress.ended) {
    return { turn: atEnd(world, turn), wakeAtMs: undefined }
  }
  const { facts } = progress
  const ends = facts.sustained.map(({ untilMs }) => untilMs).reduce(earlier, undefined)
  const after = step.progress === progress ? undefined : withProgress(turn, step.progress)
  return { turn: after, wakeAtMs: earlier(ends, earlier(step.wakeAtMs, fired.wakeAtMs)) }
}

/** Each of several blocks that came at once is no circle, unless the rule itself makes them. */
function isCircle(
  firings: Map<string, number>,
  { id, when }: PlanRule,
  {
    before,
    after,
  }: {
    readonly before: Turn
    readonly after: Turn
  },
): boolean {
  const isOneOfMany =
    when.type === 'eachBlock' && before.simulation.node.chain.height === after.simulation.node.chain.height
  if (isOneOfMany) return false
  const count = (firings.get(id) ?? 0) + 1
  firings.set(id, count)
  return count > firingsMost
}

/** What is done however the steps ended. */
function atEnd(world: World, turn: Turn): Turn {
  const { plan, progress } = turn.simulation
  const told = withProgress(turn, { ...progress, ended: true })
  return tryAll(world, told, (plan.finally ?? []).map(atOnce), {
    id: 'finally',
    source: plan.name,
    onFail: 'continue',
  })
}

function circled(turn: Turn, id: string, source: string): Turn {
  const { progress } = turn.simulation
  const text = `the rule fired ${firingsMost} times without time passing: what it does makes it fire again`
  const failed = actionFailed(progress, { id, source, onFail: 'abort' }, text)
  return withFailures(withProgress(turn, failed), progress)
}

/**
 * Returns the simulation with a saved scenario in place of the one it followed; faults keep their
 * names.
 */
export function loaded(simulation: Simulation, plan: Plan): Simulation {
  const { node, progress, plan: old } = simulation
  const ruleOf = (from: Plan, name: string) => from.faults.find((rule) => rule.name === name)
  const active = node.faults.active.flatMap((one) => {
    const { name } = one.rule
    const rule = ruleOf(plan, name)
    if (rule !== undefined) return [{ ...one, rule }]
    // What no file has said stays until it is turned off.
    return ruleOf(old, name) === undefined ? [one] : []
  })
  const textOf = (from: Plan, name: string) => canonicalJson(ruleOf(from, name) ?? null)
  // A fault that changed starts over; the counts of the others go on.
  const counts = new Map([...node.faults.counts].filter(([name]) => textOf(old, name) === textOf(plan, name)))
  const faults = { ...node.faults, active, counts }
  return { ...simulation, plan, progress: reloaded(plan, progress), node: { ...node, faults } }
}

function withProgress(turn: Turn, progress: Progress): Turn {
  return { ...turn, simulation: { ...turn.simulation, progress } }
}

/** Puts the next look at the scenario on the agenda, once for every time. */
function woken(turn: Turn, wakeAtMs: bigint | undefined): Turn {
  const { node, progress } = turn.simulation
  if (wakeAtMs === undefined || wakeAtMs === progress.wakeAtMs) return turn
  const agenda = addDue(node.agenda, wakeAtMs, { type: 'plan', step: progress.step })
  return withProgress(withNode(turn, { ...node, agenda }), { ...progress, wakeAtMs })
}

/** Says in the log what has failed since. */
function withFailures(turn: Turn, before: Progress): Turn {
  const fresh = turn.simulation.progress.failures.slice(before.failures.length)
  const outputs = fresh.map(
    ({ step, text, source }) => ({ kind: 'log', level: 'error', text: `${source}: step ${step}: ${text}` }) as const,
  )
  return { ...turn, outputs: [...turn.outputs, ...outputs] }
}

type Doer = Partial<Failed> & { readonly name?: string }

function tryAll(world: World, turn: Turn, actions: readonly Action[], by: Doer): Turn {
  const { id = by.name ?? '', source = '', onFail = 'continue' } = by
  const index = timesOf(turn.simulation.progress, id)
  const step = { id, source, onFail }
  const attempts = actions.map((action, place) => ({ action, occasion: { id, index, place }, step }))
  return tryInTurn(world, turn, attempts)
}

/** Actions that come after many blocks are kept until these are mined. */
function tryInTurn(world: World, turn: Turn, attempts: readonly Attempt[]): Turn {
  let next = turn
  for (const [place, attempt] of attempts.entries()) {
    next = tryTo(world, next, attempt)
    const { progress } = next.simulation
    if (progress.mining === undefined) continue
    const rest = attempts.slice(place + 1)
    return withProgress(next, { ...progress, mining: { ...progress.mining, rest } })
  }
  return next
}

/** How often a rule or step has acted before: what it draws is another each time. */
function timesOf({ rules, watch }: Progress, id: string): number {
  return rules[id]?.watch.fired ?? watch.fired
}

/**
 * An action that cannot be carried out fails its step; those after it are not tried where that ends
 * all.
 */
function tryTo(world: World, turn: Turn, { action, occasion, step }: Attempt): Turn {
  const { progress } = turn.simulation
  if (progress.state === 'failed' && step.onFail === 'abort') return turn
  try {
    return act(world, turn, { action, occasion })
  } catch (error) {
    const { told, text } = failureOf(turn, `${step.source}: step ${step.id}: ${action.type}`, error)
    return withFailures(withProgress(told, actionFailed(progress, step, `${action.type} ${text}`)), progress)
  }
}

/** A refusal is the step's failure alone; a bug is an incident as well. */
function failureOf(turn: Turn, where: string, error: unknown): { readonly told: Turn; readonly text: string } {
  if (isExpected(error)) {
    const { message, hint } = error
    return { told: turn, text: `was refused: ${hint === undefined ? message : `${message} (${hint})`}` }
  }
  const { turn: told, refusal } = withBug(turn, where, error)
  return { told, text: `ran into a bug in chainstage: incident ${refusal.incident} in the log` }
}
