import { wasFound } from '../../chain/outcome.ts'
import { subscription } from '../method.ts'
import { serverError } from './errors.ts'
import { idParam } from './params.ts'
import { boolResult } from './results.ts'

export const eth_unsubscribe = subscription({
  name: 'eth_unsubscribe',
  summary: 'Cancels a subscription of this connection and returns whether it existed.',
  spec: 'cosmos-evm-rpc.md §5.3',
  params: [idParam],
  result: boolResult,
  traits: ['byListenerId', 'stopsListening'],
  examples: [{ before: [['eth_subscribe', 'newHeads']], params: ['$1'], result: true }],
  command: ({ caller }, [id]) => {
    if (caller.connection === undefined) throw serverError('subscription not found')
    return { type: 'unsubscribeEth', connection: caller.connection, id }
  },
  reply: (_context, outcome) => wasFound(outcome),
})
