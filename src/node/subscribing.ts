/** Adds and removes the subscriptions of connections. */
import { queryText } from '../feed/parseQuery.ts'
import type { CometSubscription, EthSubscription } from '../feed/subscriptions.ts'
import type { Node } from './node.ts'

/** Returns the node with one more subscription on CometBFT RPC. */
export function withComet(node: Node, connection: number, subscription: CometSubscription): Node {
  const comet = withEntry(node.subscriptions.comet, connection, subscription)
  return { ...node, subscriptions: { ...node.subscriptions, comet } }
}

/** Returns the node with one more subscription on Ethereum JSON-RPC. */
export function withEth(node: Node, connection: number, subscription: EthSubscription): Node {
  const eth = withEntry(node.subscriptions.eth, connection, subscription)
  return { ...node, subscriptions: { ...node.subscriptions, eth } }
}

/**
 * Returns the node without a connection's subscription to a query in normal form. Without a query,
 * all its subscriptions are removed.
 */
export function withoutComet(
  node: Node,
  connection: number,
  query: string | undefined,
): {
  node: Node
  found: boolean
} {
  const own = node.subscriptions.comet.get(connection) ?? []
  const kept = query === undefined ? [] : own.filter((one) => queryText(one.query) !== query)
  const comet = withList(node.subscriptions.comet, connection, kept)
  return {
    node: { ...node, subscriptions: { ...node.subscriptions, comet } },
    found: kept.length < own.length,
  }
}

/** Returns the node without a subscription of Ethereum JSON-RPC. */
export function withoutEth(
  node: Node,
  connection: number,
  id: string,
): {
  node: Node
  found: boolean
} {
  const own = node.subscriptions.eth.get(connection) ?? []
  const kept = own.filter((one) => one.id !== id)
  const eth = withList(node.subscriptions.eth, connection, kept)
  return {
    node: { ...node, subscriptions: { ...node.subscriptions, eth } },
    found: kept.length < own.length,
  }
}

/** Returns the node without a subscription of either interface. */
export function withoutSubscription(node: Node, connection: number, id: string): Node {
  const { comet } = node.subscriptions
  const own = comet.get(connection)?.filter((one) => one.id !== id) ?? []
  const { node: next } = withoutEth(node, connection, id)
  return {
    ...next,
    subscriptions: { comet: withList(comet, connection, own), eth: next.subscriptions.eth },
  }
}

/** Returns the node without a connection and its subscriptions, held events and owed replies. */
export function withoutConnection(node: Node, connection: number): Node {
  const connections = new Map(node.connections)
  connections.delete(connection)
  const { comet, eth } = node.subscriptions
  return {
    ...node,
    connections,
    held: node.held.filter((one) => one.connection !== connection),
    owed: node.owed.filter(({ request }) => request.connection !== connection),
    subscriptions: { comet: withList(comet, connection, []), eth: withList(eth, connection, []) },
  }
}

function withEntry<Item>(
  map: ReadonlyMap<number, readonly Item[]>,
  key: number,
  item: Item,
): ReadonlyMap<number, readonly Item[]> {
  return withList(map, key, [...(map.get(key) ?? []), item])
}

function withList<Item>(
  map: ReadonlyMap<number, readonly Item[]>,
  key: number,
  list: readonly Item[],
): ReadonlyMap<number, readonly Item[]> {
  const next = new Map(map)
  if (list.length === 0) next.delete(key)
  else next.set(key, list)
  return next
}
