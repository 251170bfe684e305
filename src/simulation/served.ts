/** Records answered calls, from clients and from the scenario. */
import { type Simulation, type Turn, withFacts, withLog } from './turn.ts'
import type { World } from '../node/world.ts'
import { answersKept, requestInputOf } from './ask.ts'
import { noFaults } from '../fault/decide.ts'
import { concat } from '../node/effects.ts'
import { noted } from './journal.ts'
import { occurred, subscribed } from './observe.ts'
import { type Served, serveRequest } from '../rpc/serve.ts'
import { mayJudge } from '../scenario/judged.ts'
import type { ScenarioCall } from '../scenario/verdict.ts'
import { maskedText } from '../fault/openCalls.ts'

/** Returns the turn after calls were answered, with their outputs, events and journal records. */
export function served(world: World, turn: Turn, { node, outputs, events, records }: Served): Turn {
  const { simulation } = turn
  const { plan, progress } = simulation
  const journal = noted(simulation.journal, records, (record) => mayJudge(plan, progress, record))
  const kept = answersKept({ node, plan, progress, journal }, outputs)
  const after = withMasked(
    simulation,
    concat(turn, { ...turn, simulation: kept.simulation, outputs: kept.outputs, events }),
  )
  let seen = after
  for (const record of records) seen = occurred(world, seen, { type: 'call', record })
  return subscribed(world, seen, simulation.node)
}

/** Returns the turn after a call without faults. `answersKept` stores its response under `key`. */
export function asking(world: World, turn: Turn, key: string, asked: ScenarioCall): Turn {
  const {
    node,
    progress: { facts },
  } = turn.simulation
  const request = { ...requestInputOf(node, asked), seq: -1 - facts.asked.length }
  const noted = withFacts(turn, { asked: [...facts.asked, key] })
  const after = serveRequest(world, { ...node, faults: noFaults }, request)
  return served(world, noted, { ...after, node: { ...after.node, faults: node.faults }, records: [] })
}

/** Returns the turn with log lines for the faults that were masked in it. */
function withMasked(before: Simulation, turn: Turn): Turn {
  const { plan, node } = turn.simulation
  const fresh = node.faults.maskedCount - before.node.faults.maskedCount
  if (fresh <= 0 || plan.onMaskedFault === 'ignore') return turn
  const level = plan.onMaskedFault === 'error' ? 'error' : 'warn'
  return node.faults.masked.slice(-fresh).reduce((told, one) => withLog(told, level, maskedText(one)), turn)
}
