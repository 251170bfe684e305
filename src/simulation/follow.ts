/** Follows the scenario: runs the next step or rule, until nothing more happens at this instant. */
import { ownValue } from '../data/members.ts'
import { addDue } from '../data/agenda.ts'
import { canonicalJson } from '../data/canonicalJson.ts'
import { isExpected } from '../errors.ts'
import { isMining } from '../node/mining.ts'
import type { Plan, PlanRule } from '../plan/plan.ts'
import type { Action } from '../plan/action.ts'
import type { World } from '../node/world.ts'
import { actionFailed, type Attempt, reloaded, type Failed, type Progress } from '../scenario/progress.ts'
import { afterRule, nextRule } from '../scenario/rules.ts'
import { earlier } from '../scenario/span.ts'
import { act, atOnce } from './actions/index.ts'
import { sustain } from './sustained.ts'
import { observed } from './observe.ts'
import { sightOf } from './sight.ts'
import { advance } from '../scenario/advance.ts'
import { type Simulation, type Turn, withBug, withLog, withNode, withProgress } from './turn.ts'

/** The most moves that follow one input. Those after them follow a tick, and other inputs come in between. */
const movesOfInput = 1_000

/** More moves than this at one instant count as a loop, besides the moves of the steps. */
const movesMost = 10_000

/** Moves that each repetition of a step takes at most. */
const movesOfStep = 4

/** More firings of a rule than this at one instant count as a loop. */
const firingsMost = 64

/** Returns the turn after what the scenario does at this instant, or after the first moves of it. */
export function follow(world: World, turn: Turn): Turn {
  if (isIdle(turn)) return turn
  const firings = new Map<string, number>()
  let next = withoutMoves(turn)
  for (let moves = 0; moves < movesOfInput; moves++) {
    const { turn: seen, isNewBlock } = observed(world, next)
    next = sustain(world, seen, isNewBlock)
    if (next.told < next.events.length) continue
    const done = move(world, next, firings)
    if (done.turn === undefined) return woken(next, done.wakeAtMs)
    next = done.turn
  }
  return withMoves(next, movesBefore(turn) + movesOfInput)
}

/** Returns how many moves the scenario has made at this instant with earlier inputs. */
function movesBefore({ simulation: { node, progress } }: Turn): number {
  return progress.goesOn?.timeMs === node.nowMs ? progress.goesOn.moves : 0
}

function withoutMoves(turn: Turn): Turn {
  const { progress } = turn.simulation
  if (progress.goesOn === undefined) return turn
  const { goesOn: _, ...rest } = progress
  return withProgress(turn, rest)
}

/** Returns the turn whose scenario goes on with the next input, unless it is in a loop, which is logged. */
function withMoves(turn: Turn, moves: number): Turn {
  const { node, progress } = turn.simulation
  if (moves >= movesMost && moves >= movesMost + stepMoves(turn.simulation)) {
    return withLog(turn, 'error', `the scenario advanced ${moves} times while no time passed`)
  }
  return withProgress(turn, { ...progress, goesOn: { timeMs: node.nowMs, moves } })
}

function stepMoves({ plan }: Simulation): number {
  return plan.steps.reduce((sum, { times = 1 }) => sum + movesOfStep * times, 0)
}

/** Returns whether the scenario has nothing to wait for, repeat or clean up. */
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

/** Makes one move: steps first, then rules in file order, then the actions of `finally`. */
function move(world: World, turn: Turn, firings: Map<string, number>): Moved {
  const { plan, progress, node } = turn.simulation
  if (progress.mining !== undefined) {
    const { mining, ...rest } = progress
    // A run that has ended does not wait for mining.
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

/**
 * Returns whether a rule is in a loop. A rule that fires for each of many blocks is not, unless it
 * mines the blocks itself.
 */
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

/** Runs the actions of `finally`, however the steps ended. */
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
  const text = `the rule fired ${firingsMost} times while no time passed: its actions trigger it again`
  const failed = actionFailed(progress, { id, source, onFail: 'abort' }, text)
  return withFailures(withProgress(turn, failed), progress)
}

/** Returns the simulation with a reloaded scenario. Active faults continue under their names. */
export function loaded(simulation: Simulation, plan: Plan): Simulation {
  const { node, progress, plan: old } = simulation
  const ruleOf = (from: Plan, name: string) => from.faults.find((rule) => rule.name === name)
  const active = node.faults.active.flatMap((one) => {
    const { name } = one.rule
    const rule = ruleOf(plan, name)
    if (rule !== undefined) return [{ ...one, rule }]
    // A fault that neither file declares stays on until it is turned off.
    return ruleOf(old, name) === undefined ? [one] : []
  })
  const ruleText = (from: Plan, name: string) => canonicalJson(ruleOf(from, name) ?? null)
  // A changed fault restarts its counts; the others keep theirs.
  const counts = new Map([...node.faults.counts].filter(([name]) => ruleText(old, name) === ruleText(plan, name)))
  const faults = { ...node.faults, active, counts }
  return { ...simulation, plan, progress: reloaded(plan, progress, old), node: { ...node, faults } }
}

/** Schedules the next check of the scenario on the agenda, once per time. */
function woken(turn: Turn, wakeAtMs: bigint | undefined): Turn {
  const { node, progress } = turn.simulation
  if (wakeAtMs === undefined || wakeAtMs === progress.wakeAtMs) return turn
  const agenda = addDue(node.agenda, wakeAtMs, { type: 'plan', step: progress.step })
  return withProgress(withNode(turn, { ...node, agenda }), { ...progress, wakeAtMs })
}

/** Logs the failures since `before`. */
function withFailures(turn: Turn, before: Progress): Turn {
  const fresh = turn.simulation.progress.failures.slice(before.failures.length)
  return fresh.reduce(
    (told, { step, text, source }) => withLog(told, 'error', `${source}: step ${step}: ${text}`),
    turn,
  )
}

type Doer = Partial<Failed> & { readonly name?: string }

function tryAll(world: World, turn: Turn, actions: readonly Action[], by: Doer): Turn {
  const { id = by.name ?? '', source = '', onFail = 'continue' } = by
  const index = timesOf(turn.simulation.progress, id)
  const step = { id, source, onFail }
  const attempts = actions.map((action, place) => ({ action, occasion: { id, index, place }, step }))
  return tryInTurn(world, turn, attempts)
}

/** Runs actions in order. If one leaves blocks to mine, the rest wait for them. */
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

/** Returns how often a rule or step has fired before; each repetition draws new values. */
function timesOf({ rules, watch }: Progress, id: string): number {
  return ownValue(rules, id)?.watch.fired ?? watch.fired
}

/**
 * Runs an action. A failing action fails its step; after an abort the remaining actions are
 * skipped.
 */
function tryTo(world: World, turn: Turn, { action, occasion, step }: Attempt): Turn {
  const { progress } = turn.simulation
  if (progress.state === 'failed' && step.onFail === 'abort') return turn
  try {
    return act(world, turn, { action, occasion })
  } catch (error) {
    const { written = action.type } = action
    const { told, text } = failureOf(turn, `${step.source}: step ${step.id}: ${written}`, error)
    return withFailures(withProgress(told, actionFailed(progress, step, `${written} ${text}`)), progress)
  }
}

/**
 * Returns the text for a failed action. A rejection only fails the step; a bug is also logged as an
 * incident.
 */
function failureOf(turn: Turn, where: string, error: unknown): { readonly told: Turn; readonly text: string } {
  if (isExpected(error)) {
    const { message, hint } = error
    return { told: turn, text: `was refused: ${hint === undefined ? message : `${message} (${hint})`}` }
  }
  const { turn: told, refusal } = withBug(turn, where, error)
  return { told, text: `hit a bug in chainstage: see incident ${refusal.incident} in the log` }
}
