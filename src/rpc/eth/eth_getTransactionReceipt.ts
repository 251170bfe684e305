import { durationMs } from '../../settings/duration.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import { RpcError } from '../errors.ts'
import { query, WaitingReply } from '../method.ts'
import { codes, serverError } from './errors.ts'
import { receiptText } from './keptTexts.ts'
import { minedByHash } from './lookup.ts'
import { txHashParam } from './params.ts'
import { receiptResult } from './results.ts'

export const eth_getTransactionReceipt = query({
  name: 'eth_getTransactionReceipt',
  summary: 'Returns the receipt of a transaction, or null if no block contains the transaction.',
  spec: 'cosmos-evm-rpc.md §2.3',
  params: [txHashParam],
  result: receiptResult,
  traits: ['ofMinedTx', 'comesWithBlock', 'showsTxs'],
  examples: [
    {
      params: ['0x1111111111111111111111111111111111111111111111111111111111111111'],
      result: null,
    },
  ],
  read: (context, [wanted]) => {
    const { node, woken } = context
    const mined = minedByHash(node.chain, wanted)
    if (mined !== undefined) {
      const { gasUsed, cumulativeGasUsed, isMissing = false } = mined.tx.receipt
      if (isMissing) throw serverError('failed to get receipts from comet block')
      const isOwn = hasQuirk(node.settings, 'cumulative-gas-per-tx')
      return receiptText(context, mined, isOwn ? gasUsed : cumulativeGasUsed)
    }
    if (!hasQuirk(node.settings, 'receipt-blocks-on-unknown')) return null
    const isPooled = node.settings.mempoolMaxTxs >= 0
    const limitMs = durationMs(node.settings.ethHttpTimeout) - 100n
    if (woken === undefined)
      return new WaitingReply({ for: 'ethTx', hash: wanted }, isPooled ? pooledPatienceMs : limitMs)
    if (isPooled) return null
    throw new RpcError(codes.timeout, 'request timed out')
  },
})

// With the EVM mempool on, the node gives up after five attempts (cosmos-evm-rpc.md §2.3).
const pooledPatienceMs = 1550n
