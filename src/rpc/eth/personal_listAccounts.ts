import { query } from '../method.ts'
import { checkUnlocked, keyring } from './keys.ts'
import { addressesResult } from './results.ts'

export const personal_listAccounts = query({
  name: 'personal_listAccounts',
  summary: 'Returns the addresses the node has keys of.',
  spec: 'cosmos-evm-rpc.md §2.11',
  params: [],
  result: addressesResult,
  traits: ['changesWorld'],
  examples: [{ params: [], result: '…' }],
  read: (context) => {
    checkUnlocked(context)
    return keyring(context).map((key) => key.address)
  },
})
