import { query } from '../method.ts'
import { nullResult } from './results.ts'

export const personal_listWallets = query({
  name: 'personal_listWallets',
  summary: 'Returns null: there are no wallets beside the keyring.',
  spec: 'cosmos-evm-rpc.md §2.11',
  params: [],
  result: nullResult,
  traits: ['changesWorld'],
  examples: [{ params: [], result: null }],
  read: () => undefined,
})
