import { detached } from '../../data/detached.ts'
import { assert } from '../../errors.ts'
import { parseQuery, queryText, QuerySyntaxError } from '../../feed/parseQuery.ts'
import type { CometQuery } from '../../feed/cometQuery.ts'
import { subscription } from '../method.ts'
import { failed } from './errors.ts'
import { checkListenerLimits } from './listeners.ts'
import { queryParam } from './params.ts'
import { emptyResult } from './results.ts'
import { mostQueryBytes } from './search.ts'

export const subscribe = subscription({
  name: 'subscribe',
  summary: 'Subscribes this connection to all events that match a query; each event has the id of this call.',
  spec: 'comet-rpc.md §2.6',
  params: [queryParam],
  result: emptyResult,
  traits: ['websocketOnly', 'subscribes'],
  examples: [{ params: ["tm.event='NewBlock'"], result: {} }],
  command: (context, [given]) => {
    const { connection } = context.caller
    // A subscription lives long, and both are parts of a message.
    const [id, text] = [detached(context.caller.id), detached(given)]
    assert(connection !== undefined, 'a subscription has a connection')
    checkListenerLimits(context)
    if (new TextEncoder().encode(text).length > mostQueryBytes) {
      throw failed('maximum query length exceeded')
    }
    const query = readSubscription(text)
    const normal = queryText(query)
    const own = context.node.subscriptions.comet.get(connection) ?? []
    if (own.some((one) => queryText(one.query) === normal)) throw failed('already subscribed')
    return { type: 'subscribeComet', connection, subscription: { id, text, query } }
  },
  reply: () => ({}),
})

/** Returns the query of a subscription. Throws its syntax error with the node's prefix. */
export function readSubscription(text: string): CometQuery {
  try {
    return parseQuery(text)
  } catch (error) {
    if (!(error instanceof QuerySyntaxError)) throw error
    throw failed(`failed to parse query: ${error.message}`)
  }
}
