import { assert } from '../../errors.ts'
import { subscription } from '../method.ts'
import { failed } from './errors.ts'
import { emptyResult } from './results.ts'

export const unsubscribe_all = subscription({
  name: 'unsubscribe_all',
  summary: 'Cancels all subscriptions of this connection.',
  spec: 'comet-rpc.md §2.6',
  params: [],
  result: emptyResult,
  traits: ['websocketOnly', 'stopsListening'],
  examples: [{ before: [['subscribe', "tm.event='Tx'"]], params: [], result: {} }],
  command: ({ caller: { connection }, node }) => {
    assert(connection !== undefined, 'a subscription has a connection')
    if ((node.subscriptions.comet.get(connection) ?? []).length === 0) {
      throw failed('subscription not found')
    }
    return { type: 'unsubscribeComet', connection, query: undefined }
  },
  reply: () => ({}),
})
