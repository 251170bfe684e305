/** Runs the actions of a scenario. */
import { isExpected, unreachable } from '../errors.ts'
import type { Action } from '../plan/action.ts'
import { unsliced } from '../node/mining.ts'
import type { World } from '../node/world.ts'
import { serveRequest } from '../rpc/serve.ts'
import { sawSignal } from '../scenario/progress.ts'
import { filledText, scalarOf } from '../scenario/late.ts'
import { actionNow } from '../scenario/lateTurn.ts'
import { answerOf, requestOf } from './ask.ts'
import { drawnTx, isDrawn, type Occasion } from './drawnTx.ts'
import { lateNames } from './lateNames.ts'
import { paramsNow } from './paramsNow.ts'
import { evidence, jail, resume, rollback, rounds, signing, upgrade, validator } from './actConsensus.ts'
import { drop, hold, release } from './actMempool.ts'
import { closeWs } from './actSockets.ts'
import { editAccount, fees, nodeSettings } from './actState.ts'
import { cosmosTx, sendTx } from './actTx.ts'
import { restore, snapshot } from './actSnapshot.ts'
import { type Turn, carry, withFacts } from './turn.ts'
import { asking, served } from './served.ts'

export type Acting = { readonly action: Action; readonly occasion: Occasion }

/**
 * Returns the turn after an action. The occasion keys the action's draws. Throws the error of a
 * rejected action.
 */
export function act(world: World, turn: Turn, { action, occasion }: Acting): Turn {
  switch (action.type) {
    case 'command':
      return waiting(carry(world, turn, action.command), turn)
    case 'editAccount':
      return editAccount(world, turn, action)
    case 'hold':
      return hold(world, turn, action)
    case 'release':
      return release(world, turn, action)
    case 'drop':
      return drop(world, turn, action)
    case 'fees':
      return fees(world, turn, action)
    case 'sendTx':
      return send(world, turn, { action, occasion })
    case 'cosmosTx':
      return cosmosTx(world, turn, action, occasion)
    case 'signing':
      return signing(world, turn, action)
    case 'validator':
      return validator(world, turn, action)
    case 'jail':
      return jail(world, turn, action)
    case 'upgrade':
      return upgrade(world, turn, action)
    case 'resume':
      return resume(world, turn, action)
    case 'rounds':
      return rounds(world, turn, action)
    case 'settings':
      return nodeSettings(world, turn, action)
    case 'closeWs':
      return closeWs(turn, action)
    case 'several':
      return action.actions.reduce((before, one) => act(world, before, { action: atOnce(one), occasion }), turn)
    case 'evidence':
      return evidence(world, turn, action)
    case 'rollback':
      return rollback(world, turn, action)
    case 'snapshot':
      return snapshot(world, turn, action)
    case 'restore':
      return restore(world, turn, action)
    case 'clearFault':
      return carry(world, turn, { type: 'clearFault', name: action.name })
    case 'useFault':
      return useFault(world, turn, action)
    case 'late': {
      const now = actionNow(action.json, lateNames(world, turn.simulation, occasion))
      return act(world, turn, { action: now, occasion })
    }
    case 'call':
      return call(world, turn, { action, occasion })
    case 'ask':
      return askOnce(world, turn, { action, occasion })
    case 'set':
      return noting(world, turn, { action, occasion })
    case 'setPhase':
      return withFacts(turn, { phase: action.name })
    case 'signal':
      return signal(turn, action)
    case 'log': {
      const text = filledText(action.text, () => lateNames(world, turn.simulation, occasion))
      return { ...turn, outputs: [...turn.outputs, { kind: 'log', level: 'info', text }] }
    }
    default:
      return unreachable(action)
  }
}

/** Returns the action, changed to mine all its blocks at once, for callers that cannot wait. */
export function atOnce(action: Action): Action {
  return action.type === 'command' ? { ...action, command: unsliced(action.command) } : action
}

/** Notes the blocks that an action has left to mine, so that the scenario waits for them. */
function waiting(turn: Turn, { simulation: { node: before } }: Turn): Turn {
  const { simulation } = turn
  const { node, progress } = simulation
  const job = node.mining?.find(({ id }) => before.mining?.some((one) => one.id === id) !== true)
  if (job === undefined) return turn
  return { ...turn, simulation: { ...simulation, progress: { ...progress, mining: { job: job.id, rest: [] } } } }
}

type Done<Type> = Acting & { readonly action: Extract<Action, { type: Type }> }

function signal(turn: Turn, { name }: Extract<Action, { type: 'signal' }>): Turn {
  const { simulation } = turn
  return { ...turn, simulation: { ...simulation, progress: sawSignal(simulation.progress, name) } }
}

/**
 * Sends a transaction. If a drawn value makes it invalid (such as an amount above the balance),
 * logs that and sends nothing.
 */
function send(world: World, turn: Turn, { action, occasion }: Done<'sendTx'>): Turn {
  const settled = drawnTx(world, turn.simulation.node, action, occasion)
  try {
    return sendTx(world, turn, settled, occasion)
  } catch (error) {
    if (!isDrawn(action) || !isExpected(error)) throw error
    const text = `${occasion.id}: the drawn transaction was refused: ${error.message}`
    return { ...turn, outputs: [...turn.outputs, { kind: 'log', level: 'debug', text }] }
  }
}

/** Makes a call and stores the response, which `step.ID.result` reads. */
function call(world: World, turn: Turn, { action, occasion }: Done<'call'>): Turn {
  const {
    node,
    progress: { facts },
  } = turn.simulation
  const params = paramsNow(world, turn.simulation, action.params, occasion)
  const after = serveRequest(world, node, requestOf(node, { ...action, params }))
  const reply = after.outputs.find(({ kind }) => kind === 'reply')
  const done = served(world, turn, { ...after, outputs: after.outputs.filter((one) => one !== reply) })
  if (reply?.kind !== 'reply') return done
  return withFacts(done, { answers: { ...facts.answers, [occasion.id]: answerOf(reply).text } })
}

/**
 * Makes a call for an expectation. Its request has a negative number; `answersKept` stores the
 * response.
 */
function askOnce(world: World, turn: Turn, { action, occasion }: Done<'ask'>): Turn {
  const { key } = action
  const { late } = turn.simulation.progress.facts
  const params = paramsNow(world, turn.simulation, action.params, occasion)
  const noted = withFacts(turn, { late: { ...late, [key]: undefined } })
  return asking(world, noted, key, { ...action, params })
}

function noting(world: World, turn: Turn, { action: { values }, occasion }: Done<'set'>): Turn {
  const names = lateNames(world, turn.simulation, occasion)
  const { noted } = turn.simulation.progress.facts
  const fresh = Object.entries(values).map(([name, value]) => [name, scalarOf(value, names)] as const)
  return withFacts(turn, { noted: { ...noted, ...Object.fromEntries(fresh) } })
}

function useFault(world: World, turn: Turn, action: Extract<Action, { type: 'useFault' }>): Turn {
  const { node, plan } = turn.simulation
  const rule = action.rule ?? plan.faults.find(({ name }) => name === action.name)
  if (rule === undefined) return turn
  const untilMs = action.forMs === undefined ? undefined : node.nowMs + action.forMs
  const untilHeight = action.forBlocks === undefined ? undefined : node.chain.height + action.forBlocks
  return carry(world, turn, {
    type: 'setFault',
    fault: { rule, untilMs, untilHeight, ...(action.once === true && { once: true }) },
  })
}
