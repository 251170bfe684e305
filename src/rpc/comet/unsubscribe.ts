import { assert } from '../../errors.ts'
import { queryText } from '../../feed/parseQuery.ts'
import { subscription } from '../method.ts'
import { failed } from './errors.ts'
import { queryParam } from './params.ts'
import { emptyResult } from './results.ts'
import { readSubscription } from './subscribe.ts'

export const unsubscribe = subscription({
  name: 'unsubscribe',
  summary: "Cancels this connection's subscription to a query.",
  spec: 'comet-rpc.md §2.6',
  params: [queryParam],
  result: emptyResult,
  traits: ['websocketOnly', 'stopsListening'],
  examples: [{ before: [['subscribe', "tm.event='Tx'"]], params: ["tm.event = 'Tx'"], result: {} }],
  command: ({ caller: { connection }, node }, [text]) => {
    assert(connection !== undefined, 'a subscription has a connection')
    const normal = queryText(readSubscription(text))
    const own = node.subscriptions.comet.get(connection) ?? []
    if (!own.some((one) => queryText(one.query) === normal)) throw failed('subscription not found')
    return { type: 'unsubscribeComet', connection, query: normal }
  },
  reply: () => ({}),
})
