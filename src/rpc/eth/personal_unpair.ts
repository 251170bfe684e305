import { text } from '../../codec/codec.ts'
import { param, query } from '../method.ts'
import { serverError } from './errors.ts'
import { nullResult } from './results.ts'

export const personal_unpair = query({
  name: 'personal_unpair',
  summary: 'Refuses: smart cards are not supported.',
  spec: 'cosmos-evm-rpc.md §2.11',
  params: [param('url', text()), param('pin', text())],
  result: nullResult,
  traits: ['changesWorld'],
  examples: [],
  read: () => {
    throw serverError('smartcard wallet not supported yet')
  },
})
