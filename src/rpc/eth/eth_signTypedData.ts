import { param, query } from '../method.ts'
import { keyOf, signDigest } from './keys.ts'
import { addressParam } from './params.ts'
import { bytesResult } from './results.ts'
import { typedData, typedDataDigest } from './typedData.ts'

export const eth_signTypedData = query({
  name: 'eth_signTypedData',
  summary: 'Signs typed data (EIP-712) with a key held by the node; v is 27 or 28.',
  spec: 'cosmos-evm-rpc.md §2.6',
  params: [addressParam, param('data', typedData)],
  result: bytesResult,
  traits: ['usesAccounts'],
  examples: [],
  read: (context, [owner, data]) => signDigest(typedDataDigest(data), keyOf(context, owner)),
})
