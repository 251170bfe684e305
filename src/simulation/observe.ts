/** Passes new events to the scenario. */
import { txBodyOf } from '../codec/messages/cosmos.ts'
import { ProtobufError } from '../codec/protobuf/wire.ts'
import type { Side } from '../settings/side.ts'
import type { Node } from '../node/node.ts'
import type { World } from '../node/world.ts'
import type { Knowing, Occurrence } from '../scenario/occurrence.ts'
import { saw } from '../scenario/tally.ts'
import { addressOf } from './names.ts'
import { paramsOrNever } from './lateNames.ts'
import { type Simulation, type Turn, withProgress } from './turn.ts'

/**
 * Returns the turn after its new events were passed to the scenario, and whether a block is among
 * them.
 */
export function observed(world: World, turn: Turn): { readonly turn: Turn; readonly isNewBlock: boolean } {
  const fresh = turn.events.slice(turn.told)
  const next = fresh.reduce((before, event) => occurred(world, before, { type: 'chain', event }), turn)
  return {
    turn: { ...next, told: turn.events.length },
    isNewBlock: fresh.some(({ type }) => type === 'blockCommitted'),
  }
}

/** Returns the turn after one occurrence was passed to the scenario. */
export function occurred(world: World, turn: Turn, occurrence: Occurrence): Turn {
  const { simulation } = turn
  const { counters = [] } = simulation.plan
  // Chain events also update the facts. Other occurrences only matter if the plan has counters.
  if (counters.length === 0 && occurrence.type !== 'chain') return turn
  const progress = saw(simulation.plan, simulation.progress, occurrence, knowingOf(world, simulation))
  return progress === simulation.progress ? turn : withProgress(turn, progress)
}

/** Returns the turn after added and removed subscriptions were passed to the scenario. */
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

/** Compares by identity, because a subscription is never replaced and lists keep their order. */
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
 * Returns the items of `list` that are not in `other`. Lists only lose items or grow at the end. So
 * if both have the same item at the same position, all items before it are equal too.
 */
export function withoutCommonStart<Item>(list: readonly Item[], other: readonly Item[]): readonly Item[] {
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
    filled: (json) => paramsOrNever(world, simulation, json),
  }
}

/** Returns the message types of a Cosmos transaction; none if the bytes are not one. */
function messageTypes(tx: Uint8Array): readonly string[] {
  try {
    return txBodyOf(tx).messages.map(({ typeUrl }) => typeUrl)
  } catch (error) {
    if (error instanceof ProtobufError) return []
    throw error
  }
}
