/** Actions on the connections of clients. */
import type { Node } from '../node/node.ts'
import type { Action } from '../plan/action.ts'
import type { Turn } from './turn.ts'

/**
 * Returns the turn with outputs that close connections: those of an interface, or those with a
 * certain subscription.
 */
export function closeWs(turn: Turn, { code, reason, side, query }: Extract<Action, { type: 'closeWs' }>): Turn {
  const { node } = turn.simulation
  const closed = [...node.connections]
    .filter(
      ([connection, one]) =>
        (side ?? one.side) === one.side && (query === undefined || subscribesTo(node, connection, query)),
    )
    .map(([connection]) => ({ kind: 'close', connection, code, reason }) as const)
  return { ...turn, outputs: [...turn.outputs, ...closed] }
}

function subscribesTo({ subscriptions: { comet, eth } }: Node, connection: number, query: string): boolean {
  return (
    (comet.get(connection) ?? []).some(({ text }) => text === query) ||
    (eth.get(connection) ?? []).some(({ kind }) => kind === query)
  )
}
