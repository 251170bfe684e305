/** Shows the scenario what has happened since it looked last. */
import { TxBody, TxRaw } from '../codec/messages/cosmos.ts'
import { ProtobufError } from '../codec/protobuf/wire.ts'
import { isExpected } from '../errors.ts'
import type { Side } from '../settings/side.ts'
import type { Node } from '../node/node.ts'
import type { World } from '../node/world.ts'
import type { Knowing, Occurrence } from '../scenario/occurrence.ts'
import { saw } from '../scenario/tally.ts'
import { addressOf } from './names.ts'
import { paramsNow } from './paramsNow.ts'
import type { Simulation, Turn } from './turn.ts'

/**
 * Returns the turn whose scenario knows of everything that has happened, and whether a block is
 * among it.
 */
export function observed(world: World, turn: Turn): { readonly turn: Turn; readonly isNewBlock: boolean } {
  const fresh = turn.events.slice(turn.told)
  const next = fresh.reduce((before, event) => occurred(world, before, { type: 'chain', event }), turn)
  return {
    turn: { ...next, told: turn.events.length },
    isNewBlock: fresh.some(({ type }) => type === 'blockCommitted'),
  }
}

/** Returns the turn whose scenario knows of one thing more. */
export function occurred(world: World, turn: Turn, occurrence: Occurrence): Turn {
  const { simulation } = turn
  const { counters = [] } = simulation.plan
  // Facts come from the chain. Without a counter nobody asks what a client did.
  if (counters.length === 0 && occurrence.type !== 'chain') return turn
  const progress = saw(simulation.plan, simulation.progress, occurrence, knowingOf(world, simulation))
  return progress === simulation.progress ? turn : { ...turn, simulation: { ...simulation, progress } }
}

/** Returns the turn whose scenario knows of subscriptions that came and went. */
export function subscribed(world: World, turn: Turn, before: Node): Turn {
  const { node } = turn.simulation
  if (node.subscriptions === before.subscriptions) return turn
  return changes(before, node).reduce((next, one) => occurred(world, next, one), turn)
}

function changes(before: Node, after: Node): readonly Occurrence[] {
  const [old, now] = [before.subscriptions, after.subscriptions]
  return [
    ...changesOf('comet', old.comet, now.comet, ({ text }) => text),
    ...changesOf('eth', old.eth, now.eth, ({ kind }) => kind),
  ]
}

/** A subscription is the same value as long as it lives, and lists keep their order. */
function changesOf<Subscription>(
  side: Side,
  before: ByConnection<Subscription>,
  after: ByConnection<Subscription>,
  queryOf: (subscription: Subscription) => string,
): readonly Occurrence[] {
  if (before === after) return []
  const connections = [...new Set([...after.keys(), ...before.keys()])]
  return connections.flatMap((connection) => {
    const [old = [], now = []] = [before.get(connection), after.get(connection)]
    if (old === now) return []
    const tellAll = (what: 'subscribe' | 'unsubscribe', list: readonly Subscription[]) =>
      list.map((one) => ({ type: 'ws', what, side, query: queryOf(one) }) as const)
    return [
      ...tellAll('subscribe', withoutCommonStart(now, old)),
      ...tellAll('unsubscribe', withoutCommonStart(old, now)),
    ]
  })
}

type ByConnection<Subscription> = ReadonlyMap<number, readonly Subscription[]>

/**
 * Returns the items of a list that another one lacks. Lists only grow at their end or lose items,
 * so where both have the same item at the same place, everything before it is the same too.
 */
function withoutCommonStart<Item>(list: readonly Item[], other: readonly Item[]): readonly Item[] {
  let start = Math.min(list.length, other.length)
  while (start > 0 && list[start - 1] !== other[start - 1]) start -= 1
  const rest = new Set(other.slice(start))
  return list.slice(start).filter((item) => !rest.has(item))
}

function knowingOf(world: World, simulation: Simulation): Knowing {
  const {
    node,
    progress: { facts },
  } = simulation
  return {
    addressOf: (who) => addressOf(world, node, who, facts),
    unwrap: (tx) => world.ethereum?.unwrap(tx) ?? [],
    messageTypes,
    signers: world.signers,
    filled: (json) => filledOrNever(() => paramsNow(world, simulation, json)),
  }
}

/** What names something that is not there yet is like nothing. */
function filledOrNever(fill: () => string): string {
  try {
    return fill()
  } catch (error) {
    if (isExpected(error)) return '["\\u0000"]'
    throw error
  }
}

/** Bytes that are no Cosmos transaction have no messages. */
function messageTypes(tx: Uint8Array): readonly string[] {
  try {
    return TxBody.decode(TxRaw.decode(tx).bodyBytes).messages.map(({ typeUrl }) => typeUrl)
  } catch (error) {
    if (error instanceof ProtobufError) return []
    throw error
  }
}
