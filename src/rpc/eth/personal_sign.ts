import { query } from '../method.ts'
import { keyOf, messageDigest, signDigest } from './keys.ts'
import { addressParam, dataParam, unusedPasswordParam } from './params.ts'
import { bytesResult } from './results.ts'

export const personal_sign = query({
  name: 'personal_sign',
  summary: 'Signs a message with a key of the node; v is 27 or 28.',
  spec: 'cosmos-evm-rpc.md §2.11',
  params: [dataParam, addressParam, unusedPasswordParam],
  result: bytesResult,
  traits: ['changesWorld'],
  examples: [{
    params: ['0x68656c6c6f', '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', ''], result: '…',
  }],
  read: (context, [message, owner]) =>
    signDigest(messageDigest(context, message), keyOf(context, owner)),
})
