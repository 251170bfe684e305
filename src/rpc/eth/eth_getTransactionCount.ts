import { query } from '../method.ts'
import { aboveHead } from './errors.ts'
import { stateViewOf, stateOfRef } from './lookup.ts'
import { addressParam, isFixedIn, isPending, latest, stateParam } from './params.ts'
import { pendingNonce } from './pool.ts'
import { quantityResult } from './results.ts'

export const eth_getTransactionCount = query({
  name: 'eth_getTransactionCount',
  summary: 'Returns the nonce of an account; the tag `pending` includes pending transactions.',
  spec: 'cosmos-evm-rpc.md §2.4',
  params: [addressParam, stateParam],
  result: quantityResult,
  examples: [{ params: ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', 'latest'], result: '0x0' }],
  isKept: ([, at], { chain }) => isFixedIn(chain, at),
  read: (context, [owner, at]) => {
    // The mempool knows the next nonce, so the pending block need not be executed.
    const state = stateOfRef(context, isPending(at) ? latest : at, aboveHead.account)
    const { nonce } = stateViewOf(context).account(state, owner)
    return isPending(at) ? pendingNonce(context, owner, nonce) : nonce
  },
})
