import { query } from '../method.ts'
import { aboveHead } from './errors.ts'
import { stateViewOf, stateOfRef } from './lookup.ts'
import { addressParam, isFixedIn, stateParam } from './params.ts'
import { bytesResult } from './results.ts'

export const eth_getCode = query({
  name: 'eth_getCode',
  summary: 'Returns the code of an account, or `0x` if it has none.',
  spec: 'cosmos-evm-rpc.md §2.4',
  params: [addressParam, stateParam],
  result: bytesResult,
  examples: [{ params: ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', 'latest'], result: '0x' }],
  isKept: ([, at], { chain }) => isFixedIn(chain, at),
  read: (context, [owner, at]) => stateViewOf(context).code(stateOfRef(context, at, aboveHead.query), owner),
})
