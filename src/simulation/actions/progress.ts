/** Actions that call methods, and that change the state of the scenario itself. */
import type { World } from '../../node/world.ts'
import type { ActionOf } from '../../plan/action.ts'
import { serveRequest } from '../../rpc/serve.ts'
import { filledText, scalarOf } from '../../scenario/late.ts'
import { sawSignal } from '../../scenario/progress.ts'
import { rpcAnswerOf, requestInputOf } from '../ask.ts'
import type { Occasion } from '../drawnTx.ts'
import { lateNames, paramsNow } from '../lateNames.ts'
import { asking, served } from '../served.ts'
import { type Turn, withFacts, withLog, withProgress } from '../turn.ts'

/** Makes a call and stores the response, which `step.ID.result` reads. */
function call(world: World, turn: Turn, action: ActionOf<'call'>, occasion: Occasion): Turn {
  const {
    node,
    progress: { facts },
  } = turn.simulation
  const params = paramsNow(world, turn.simulation, action.params, occasion)
  const after = serveRequest(world, node, requestInputOf(node, { ...action, params }))
  const reply = after.outputs.find(({ kind }) => kind === 'reply')
  const done = served(world, turn, { ...after, outputs: after.outputs.filter((one) => one !== reply) })
  if (reply?.kind !== 'reply') return done
  return withFacts(done, { answers: { ...facts.answers, [occasion.id]: rpcAnswerOf(reply).text } })
}

/**
 * Makes a call for an expectation. Its request has a negative number; `answersKept` stores the
 * response.
 */
function ask(world: World, turn: Turn, action: ActionOf<'ask'>, occasion: Occasion): Turn {
  const { key } = action
  const { late } = turn.simulation.progress.facts
  const params = paramsNow(world, turn.simulation, action.params, occasion)
  const noted = withFacts(turn, { late: { ...late, [key]: undefined } })
  return asking(world, noted, key, { ...action, params })
}

function set(world: World, turn: Turn, { values }: ActionOf<'set'>, occasion: Occasion): Turn {
  const names = lateNames(world, turn.simulation, occasion)
  const { noted } = turn.simulation.progress.facts
  const fresh = Object.entries(values).map(([name, value]) => [name, scalarOf(value, names)] as const)
  return withFacts(turn, { noted: { ...noted, ...Object.fromEntries(fresh) } })
}

function setPhase(_: World, turn: Turn, { name }: ActionOf<'setPhase'>): Turn {
  return withFacts(turn, { phase: name })
}

function signal(_: World, turn: Turn, { name }: ActionOf<'signal'>): Turn {
  return withProgress(turn, sawSignal(turn.simulation.progress, name))
}

function log(world: World, turn: Turn, action: ActionOf<'log'>, occasion: Occasion): Turn {
  const text = filledText(action.text, () => lateNames(world, turn.simulation, occasion))
  return withLog(turn, 'info', text)
}

export const progressPerformers = { call, ask, set, setPhase, signal, log }
