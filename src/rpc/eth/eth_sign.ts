import { query } from '../method.ts'
import { signingKeyOf, messageDigest, signDigest } from './keys.ts'
import { addressParam, dataParam } from './params.ts'
import { bytesResult } from './results.ts'

export const eth_sign = query({
  name: 'eth_sign',
  summary: 'Signs a message with a key held by the node; v is 27 or 28.',
  spec: 'cosmos-evm-rpc.md §2.6',
  params: [addressParam, dataParam],
  result: bytesResult,
  traits: ['usesAccounts'],
  examples: [
    {
      params: ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', '0x68656c6c6f'],
      result: '…',
    },
  ],
  read: (context, [owner, message]) => signDigest(messageDigest(context, message), signingKeyOf(context, owner)),
})
