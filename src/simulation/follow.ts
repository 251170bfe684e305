/** Follows the scenario: asks what is next, carries it out, and asks again until nothing moves. */
import { addDue } from '../data/agenda.ts'
import { canonicalJson } from '../data/canonicalJson.ts'
import { SimError } from '../errors.ts'
import { noFaults } from '../fault/decide.ts'
import type { Plan, PlanStep } from '../node/plan.ts'
import type { World } from '../node/world.ts'
import type { Action } from '../node/planAction.ts'
import { actionFailed, advance, reloaded, type Advance, type Progress, type Seen } from '../scenario/progress.ts'
import { withNode, type Simulation, type Turn } from '../simulation.ts'
import { act } from './act.ts'
import { ask } from './ask.ts'
import { addressOf } from './names.ts'

/** More moves than this at one instant are a circle. */
const movesMost = 10_000

/** Returns the turn after everything the scenario does now. */
export function follow(world: World, turn: Turn): Turn {
  let next = turn
  for (let moves = 0; moves < movesMost; moves++) {
    const { simulation } = next
    if (simulation.progress.state !== 'running') return next
    const step = advance(simulation.plan, simulation.progress, seenBy(world, simulation))
    if (!step.moved) return woken(next, step)
    const told = withFailures(withProgress(next, step.progress), simulation.progress, step.progress)
    const planned = simulation.plan.steps[simulation.progress.step]
    next = step.actions.reduce((before, action) => tryTo(world, before, { action, step: planned }), told)
  }
  return { ...next, outputs: [...next.outputs, { kind: 'log', level: 'error', text: `the scenario moved ${movesMost} times without time passing` }] }
}

type Attempt = { readonly action: Action; readonly step: PlanStep | undefined }

/** An action that cannot be carried out fails its step; those after it are not tried. */
function tryTo(world: World, turn: Turn, { action, step }: Attempt): Turn {
  const { simulation } = turn
  if (simulation.progress.state !== 'running' || step === undefined) return turn
  try {
    return act(world, turn, action)
  } catch (error) {
    if (!(error instanceof SimError)) throw error
    const { message, hint } = error
    const text = `${action.type} was refused: ${message}${hint === undefined ? '' : ` (${hint})`}`
    const progress = actionFailed(simulation.progress, step, text)
    return withFailures(withProgress(turn, progress), simulation.progress, progress)
  }
}

/** Returns the simulation with a saved scenario in place of the one it followed; faults keep their names. */
export function loaded(simulation: Simulation, plan: Plan): Simulation {
  const { node, progress, plan: old } = simulation
  const textOf = (from: Plan, name: string) => canonicalJson(from.faults.find((rule) => rule.name === name) ?? null)
  const active = node.faults.active.flatMap((one) => {
    const rule = plan.faults.find(({ name }) => name === one.rule.name)
    return rule === undefined ? [] : [{ ...one, rule }]
  })
  // A fault that changed starts over; the counts of the others go on.
  const counts = new Map([...node.faults.counts].filter(([name]) => textOf(old, name) === textOf(plan, name)))
  return { ...simulation, plan, progress: reloaded(plan, progress), node: { ...node, faults: { active, counts } } }
}

function withProgress(turn: Turn, progress: Progress): Turn {
  return { ...turn, simulation: { ...turn.simulation, progress } }
}

/** Puts the next look at the scenario on the agenda, once for every time. */
function woken(turn: Turn, { progress, wakeAtMs }: Advance): Turn {
  const { node } = turn.simulation
  if (wakeAtMs === undefined || wakeAtMs === progress.wakeAtMs) return turn
  const agenda = addDue(node.agenda, wakeAtMs, { type: 'plan', step: progress.step })
  return withProgress(withNode(turn, { ...node, agenda }), { ...progress, wakeAtMs })
}

function withFailures(turn: Turn, before: Progress, after: Progress): Turn {
  const fresh = after.failures.slice(before.failures.length)
  const outputs = fresh.map(({ step, text, source }) => ({ kind: 'log', level: 'error', text: `${source}: step ${step}: ${text}` } as const))
  return { ...turn, outputs: [...turn.outputs, ...outputs] }
}

function seenBy(world: World, { node, journal }: Simulation): Seen {
  return {
    now: { timeMs: node.nowMs, height: node.chain.height },
    balanceOf: (who) => world.ethereum?.account(node.chain.app, addressOf(world, node, who)).wei ?? 0n,
    faultApplied: (name) => node.faults.counts.get(name)?.applied ?? 0,
    callCount: (method) => journal.counts.get(method) ?? 0,
    rpc: (side, method, params) => ask(world, { ...node, faults: noFaults }, { side, method, params }),
  }
}
