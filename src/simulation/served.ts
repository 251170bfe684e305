/** Records answered calls, from clients and from the scenario. */
import { type Turn, withFacts } from './turn.ts'
import type { World } from '../node/world.ts'
import { answersKept, requestOf } from './ask.ts'
import { noFaults } from '../fault/decide.ts'
import { noted } from './journal.ts'
import { occurred, subscribed } from './observe.ts'
import { serveRequest, type Served } from '../rpc/serve.ts'
import { withMasked } from './masked.ts'
import type { Asked } from '../node/asked.ts'

/** Returns the turn after calls were answered, with their outputs, events and journal records. */
export function served(world: World, turn: Turn, { node, outputs, events, records }: Served): Turn {
  const { simulation } = turn
  const journal = noted(simulation.journal, records)
  const { plan, progress } = simulation
  const kept = answersKept({ node, plan, progress, journal }, outputs)
  const after = withMasked(simulation, {
    ...turn,
    simulation: kept.simulation,
    outputs: turn.outputs.length === 0 ? kept.outputs : [...turn.outputs, ...kept.outputs],
    events: events.length === 0 ? turn.events : [...turn.events, ...events],
  })
  let seen = after
  for (const record of records) seen = occurred(world, seen, { type: 'call', record })
  return subscribed(world, seen, simulation.node)
}

/** Returns the turn after a call without faults. `answersKept` stores its response under `key`. */
export function asking(world: World, turn: Turn, key: string, asked: Asked): Turn {
  const {
    node,
    progress: { facts },
  } = turn.simulation
  const request = { ...requestOf(node, asked), seq: -1 - facts.asked.length }
  const noted = withFacts(turn, { asked: [...facts.asked, key] })
  const after = serveRequest(world, { ...node, faults: noFaults }, request)
  return served(world, noted, { ...after, node: { ...after.node, faults: node.faults }, records: [] })
}
