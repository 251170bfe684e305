/** Follows the scenario: asks what is next, carries it out, and asks again until nothing moves. */
import { addDue } from '../data/agenda.ts'
import { canonicalJson } from '../data/canonicalJson.ts'
import { unreachable } from '../errors.ts'
import { noFaults } from '../fault/decide.ts'
import type { RequestInput, Stamp } from '../node/input.ts'
import type { Node } from '../node/node.ts'
import type { Action, Plan } from '../node/plan.ts'
import type { World } from '../node/world.ts'
import { serveRequest } from '../rpc/serve.ts'
import { advance, reloaded, type Advance, type Progress, type Seen } from '../scenario/progress.ts'
import { commanded, withNode, type Simulation, type Turn } from '../simulation.ts'

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
    next = step.actions.reduce((before, action) => act(world, before, action), told)
  }
  return { ...next, outputs: [...next.outputs, { kind: 'log', level: 'error', text: `the scenario moved ${movesMost} times without time passing` }] }
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
  return { ...simulation, plan, progress: reloaded(plan, progress), node: { ...node, faults: { ...node.faults, active, counts } } }
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

function act(world: World, turn: Turn, action: Action): Turn {
  const { node, plan } = turn.simulation
  switch (action.type) {
    case 'command': return commanded(world, turn, { by: 'scenario', command: action.command })
    case 'clearFault': return commanded(world, turn, { by: 'scenario', command: { type: 'clearFault', name: action.name } })
    case 'useFault': {
      const rule = plan.faults.find(({ name }) => name === action.name)
      if (rule === undefined) return turn
      const untilMs = action.forMs === undefined ? undefined : node.nowMs + action.forMs
      const untilHeight = action.forBlocks === undefined ? undefined : node.chain.height + action.forBlocks
      return commanded(world, turn, { by: 'scenario', command: { type: 'setFault', fault: { rule, untilMs, untilHeight } } })
    }
    case 'call': {
      const { node: after, outputs, events } = serveRequest(world, node, requestOf(node, action))
      const kept = outputs.filter(({ kind }) => kind !== 'reply')
      return withNode({ ...turn, outputs: [...turn.outputs, ...kept], events: [...turn.events, ...events] }, after)
    }
    case 'log': return { ...turn, outputs: [...turn.outputs, { kind: 'log', level: 'info', text: action.text }] }
    default: return unreachable(action)
  }
}

function seenBy(world: World, { node, journal }: Simulation): Seen {
  return {
    now: { timeMs: node.nowMs, height: node.chain.height },
    balanceOf: (address) => world.ethereum?.account(node.chain.app, address).wei ?? 0n,
    faultApplied: (name) => node.faults.counts.get(name)?.applied ?? 0,
    callCount: (method) => journal.counts.get(method) ?? 0,
    rpc: (side, method, params) => ask(world, { ...node, faults: noFaults }, { side, method, params }),
  }
}

type Asked = { readonly side: 'comet' | 'eth'; readonly method: string; readonly params: string }

/** Returns the result of a call as JSON text; of a refused one its error. The node does not change. */
function ask(world: World, node: Node, asked: Asked): string {
  const reply = serveRequest(world, node, requestOf(node, asked)).outputs.find(({ kind }) => kind === 'reply')
  if (reply?.kind !== 'reply') return 'null'
  const { result, error } = JSON.parse(reply.body) as { result?: unknown; error?: unknown }
  return JSON.stringify(result ?? error ?? null)
}

function requestOf(node: Node, { side, method, params }: Asked): Stamp & RequestInput {
  const isEmpty = side === 'comet' && params === '[]'
  return {
    seq: 0, timeMs: node.nowMs, session: '', kind: 'request', side, transport: 'http', verb: 'POST', target: '/',
    contentType: 'application/json', host: '127.0.0.1', origin: undefined, trusted: true, connection: undefined,
    body: `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":${isEmpty ? '{}' : params}}`,
  }
}
