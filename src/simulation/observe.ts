/** Shows the scenario what has happened since it looked last. */
import { TxBody, TxRaw } from '../codec/protobuf/cosmos.ts'
import { SimError } from '../errors.ts'
import type { Node } from '../node/node.ts'
import type { World } from '../node/world.ts'
import type { Knowing, Occurrence } from '../scenario/occurrence.ts'
import { saw } from '../scenario/tally.ts'
import type { Simulation, Turn } from '../simulation.ts'
import { addressOf } from './names.ts'
import { paramsNow } from './paramsNow.ts'

/**
 * Returns the turn whose scenario knows of everything that has happened, and whether a block is
 * among it.
 */
export function observed(
  world: World, turn: Turn,
): { readonly turn: Turn; readonly isNewBlock: boolean } {
  const fresh = turn.events.slice(turn.told)
  const next = fresh.reduce(
    (before, event) => occurred(world, before, { type: 'chain', event }), turn,
  )
  return {
    turn: { ...next, told: turn.events.length },
    isNewBlock: fresh.some(({ type }) => type === 'blockCommitted'),
  }
}

/** Returns the turn whose scenario knows of one thing more. */
export function occurred(world: World, turn: Turn, occurrence: Occurrence): Turn {
  const { simulation } = turn
  const progress = saw(
    simulation.plan, simulation.progress, occurrence, knowingOf(world, simulation),
  )
  return progress === simulation.progress
    ? turn : { ...turn, simulation: { ...simulation, progress } }
}

/** Returns the turn whose scenario knows of subscriptions that came and went. */
export function subscribed(world: World, turn: Turn, before: Node): Turn {
  const { node } = turn.simulation
  if (node.subscriptions === before.subscriptions) return turn
  return changes(before, node).reduce((next, one) => occurred(world, next, one), turn)
}

function changes(before: Node, after: Node): readonly Occurrence[] {
  return (['comet', 'eth'] as const).flatMap((side) => {
    const [old, now] = [queriesOf(before, side), queriesOf(after, side)]
    const gone = [...old].filter(([key]) => !now.has(key))
    const come = [...now].filter(([key]) => !old.has(key))
    return [
      ...come.map(([, query]) => ({ type: 'ws', what: 'subscribe', side, query } as const)),
      ...gone.map(([, query]) => ({ type: 'ws', what: 'unsubscribe', side, query } as const)),
    ]
  })
}

/** What is subscribed to, by connection and query. */
function queriesOf({ subscriptions }: Node, side: 'comet' | 'eth'): ReadonlyMap<string, string> {
  const all = side === 'comet'
    ? [...subscriptions.comet].flatMap(
      ([connection, list]) => list.map(({ text }) => [`${connection} ${text}`, text] as const),
    )
    : [...subscriptions.eth].flatMap(
      ([connection, list]) => list.map(({ id, kind }) => [`${connection} ${id}`, kind] as const),
    )
  return new Map(all)
}

function knowingOf(world: World, simulation: Simulation): Knowing {
  const { node, progress: { facts } } = simulation
  return {
    addressOf: (who) => addressOf(world, node, who, facts),
    unwrap: (tx) => world.ethereum?.unwrap(tx) ?? [],
    messageTypes, signers: world.signers,
    filled: (json) => filledOrNever(() => paramsNow(world, simulation, json)),
  }
}

/** What names something that is not there yet is like nothing. */
function filledOrNever(fill: () => string): string {
  try {
    return fill()
  } catch (error) {
    if (error instanceof SimError) return '["\\u0000"]'
    throw error
  }
}

/** Bytes that are no Cosmos transaction have no messages. */
function messageTypes(tx: Uint8Array): readonly string[] {
  try {
    return TxBody.decode(TxRaw.decode(tx).bodyBytes).messages.map(({ typeUrl }) => typeUrl)
  } catch (error) {
    if (error instanceof SimError) return []
    throw error
  }
}
