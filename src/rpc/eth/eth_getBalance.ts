import { query } from '../method.ts'
import { aboveHead } from './errors.ts'
import { stateViewOf, stateOfRef } from './lookup.ts'
import { addressParam, isFixedIn, stateParam } from './params.ts'
import { quantityResult } from './results.ts'

export const eth_getBalance = query({
  name: 'eth_getBalance',
  summary: 'Returns the spendable balance of an account, in wei.',
  spec: 'cosmos-evm-rpc.md §2.4',
  params: [addressParam, stateParam],
  result: quantityResult,
  examples: [
    {
      params: ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', 'latest'],
      result: '0x21e19e0c9bab2400000',
    },
  ],
  isKept: ([, at], { chain }) => isFixedIn(chain, at),
  read: (context, [owner, at]) => stateViewOf(context).account(stateOfRef(context, at, aboveHead.comet), owner).wei,
})
