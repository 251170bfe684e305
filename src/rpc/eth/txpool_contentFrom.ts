import { pendingTxJson } from '../../feed/ethShapes.ts'
import { query } from '../method.ts'
import { addressParam } from './params.ts'
import { byNonce, poolContent } from './pool.ts'
import { objectResult } from './results.ts'
import { checksumAddress } from '../../crypto/checksumAddress.ts'

export const txpool_contentFrom = query({
  name: 'txpool_contentFrom',
  summary: 'Returns the transactions of one sender in the mempool, by nonce.',
  spec: 'cosmos-evm-rpc.md §2.9',
  params: [addressParam],
  result: objectResult,
  traits: ['ofMempool', 'varies'],
  examples: [
    {
      params: ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'],
      result: { pending: {}, queued: {} },
    },
  ],
  read: (context, [owner]) => {
    const content = poolContent(context)
    if (content === undefined) return {}
    const sender = checksumAddress(owner)
    return {
      pending: byNonce(content.pending.get(sender) ?? [], pendingTxJson),
      queued: byNonce(content.queued.get(sender) ?? [], pendingTxJson),
    }
  },
})
