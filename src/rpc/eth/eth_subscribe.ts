import { anyJson, optional, text } from '../../codec/codec.ts'
import { assert } from '../../errors.ts'
import { inRole, param, subscription } from '../method.ts'
import { idOf } from './filters.ts'
import { textResult } from './results.ts'
import { assertRoom, subscriptionKind } from './subscribing.ts'

export const eth_subscribe = subscription({
  name: 'eth_subscribe',
  summary: 'Subscribes to new heads, logs or pending transactions and returns the subscription id.',
  spec: 'cosmos-evm-rpc.md §5.3',
  params: [param('kind', text()), inRole('filter', param('options', optional(anyJson), undefined))],
  result: textResult,
  traits: ['websocketOnly', 'varies', 'subscribes'],
  examples: [{ params: ['newHeads'], result: '…' }],
  command: (context, [kind, options]) => {
    const { connection } = context.caller
    assert(connection !== undefined, 'a subscription has a connection')
    assertRoom(context, connection)
    return {
      type: 'subscribeEth',
      connection,
      subscription: subscriptionKind(context, kind, options),
    }
  },
  reply: (_context, outcome) => idOf(outcome),
})
