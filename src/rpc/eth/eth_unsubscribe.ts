import { assert } from '../../errors.ts'
import { subscription } from '../method.ts'
import { idParam } from './params.ts'
import { boolResult } from './results.ts'

export const eth_unsubscribe = subscription({
  name: 'eth_unsubscribe',
  summary: 'Ends a subscription of this connection and returns whether there was one.',
  spec: 'cosmos-evm-rpc.md §5.3',
  params: [idParam],
  result: boolResult,
  traits: ['websocketOnly'],
  examples: [],
  command: ({ caller }, [id]) => {
    assert(caller.connection !== undefined, 'a subscription has a connection')
    return { type: 'unsubscribeEth', connection: caller.connection, id }
  },
  reply: (_context, outcome) => outcome.type === 'found' && outcome.found,
})
