import { owner } from '../exampleCalls.ts'
import { param, query } from '../method.ts'
import { signingKeyOf, signDigest } from './keys.ts'
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
  examples: [
    {
      params: [
        owner,
        {
          types: { EIP712Domain: [{ name: 'name', type: 'string' }], Mail: [{ name: 'text', type: 'string' }] },
          primaryType: 'Mail',
          domain: { name: 'Post' },
          message: { text: 'hello' },
        },
      ],
      result:
        '0x9cfa1ca4f1b1ef624eeb3ecb0d1797d70e703fcfc39f79ba1c99ca685e15998a' +
        '23c81c8ff3403f0a9cf8de91d7363349ba46c6a9b79c2a498a85ac574c9afe671b',
    },
  ],
  read: (context, [owner, data]) => {
    const key = signingKeyOf(context, owner)
    return signDigest(typedDataDigest(data), key)
  },
})
