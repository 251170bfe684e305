import { list, string } from '../../codec/comet.ts'
import { query } from '../method.ts'
import { failed } from './errors.ts'
import { cometParam } from './params.ts'
import { checkAddresses } from './peerAddress.ts'
import { objectOf, textSchema } from './results.ts'

export const dial_seeds = query({
  name: 'dial_seeds',
  summary: 'Validates the addresses of seeds without dialing them.',
  spec: 'comet-rpc.md §1.29',
  params: [cometParam('seeds', list(string))],
  result: objectOf({ log: textSchema }),
  traits: ['unsafe'],
  examples: [
    {
      params: [['2e1ca93285d58942ba2e22fd893ccac7c924c3a1@127.0.0.1:1']],
      result: { log: 'Dialing seeds in progress. See /net_info for details' },
    },
  ],
  read: (_context, [seeds]) => {
    if (seeds.length === 0) throw failed('no seeds provided')
    checkAddresses(seeds)
    return { log: 'Dialing seeds in progress. See /net_info for details' }
  },
})
