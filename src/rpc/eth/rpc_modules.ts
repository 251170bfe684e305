import { query } from '../method.ts'
import { namespacesOf } from './dialect.ts'
import { objectResult } from './results.ts'

export const rpc_modules = query({
  name: 'rpc_modules',
  summary: 'Returns the enabled namespaces and their versions.',
  spec: 'cosmos-evm-rpc.md §1.6',
  params: [],
  result: objectResult,
  examples: [
    {
      params: [],
      result: {
        debug: '1.0',
        dev: '1.0',
        eth: '1.0',
        net: '1.0',
        personal: '1.0',
        rpc: '1.0',
        txpool: '1.0',
        web3: '1.0',
      },
    },
  ],
  read: (context) =>
    Object.fromEntries(
      namespacesOf(context)
        .toSorted()
        .map((name) => [name, '1.0']),
    ),
})
