import { array, text } from '../../codec/codec.ts'
import { param, query } from '../method.ts'
import { addressParam, isFixedIn, stateParam } from './params.ts'
import { proofOf } from './proofs.ts'
import { objectResult } from './results.ts'

export const eth_getProof = query({
  name: 'eth_getProof',
  summary: 'Returns an account and its storage words with ICS-23 proofs against the app hash of a mined block.',
  spec: 'cosmos-evm-rpc.md §2.4',
  params: [addressParam, param('keys', array(text(), '[]string')), stateParam],
  result: objectResult,
  examples: [{ params: ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', [], '0x1'], result: '…' }],
  isKept: ([, , at], { chain }) => isFixedIn(chain, at),
  read: (context, [owner, keys, at]) => proofOf(context, owner, { keys, at }),
})
