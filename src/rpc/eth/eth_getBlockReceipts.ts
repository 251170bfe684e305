import type { ShownBlock } from '../../chain/block.ts'
import { blockAt } from '../../chain/view.ts'
import type { BlockRef } from '../../codec/blockRef.ts'
import type { Plain, PlainObject } from '../../codec/goJsonWrite.ts'
import { receiptJson } from '../../feed/ethShapes.ts'
import { RpcError } from '../errors.ts'
import { keptText } from '../keptText.ts'
import { query, type Context } from '../method.ts'
import type { JsonText } from '../result.ts'
import { aboveHead, serverError } from './errors.ts'
import { heightOfRef, pendingOf } from './lookup.ts'
import { blockParam } from './params.ts'
import { receiptsResult } from './results.ts'
import { shownBlock } from './uncommitted.ts'

export const eth_getBlockReceipts = query({
  name: 'eth_getBlockReceipts',
  summary: 'Returns the receipts of all Ethereum transactions in a block.',
  spec: 'cosmos-evm-rpc.md §2.2',
  params: [blockParam],
  result: receiptsResult,
  traits: ['showsTxs'],
  examples: [{ params: ['latest'], result: [] }],
  read: (context, [ref]): Plain | JsonText => {
    const pending = pendingOf(context, ref)
    if (pending !== undefined) return receiptsOf(pending.shown)
    const { chain } = context.node
    const height = heightIn(context, ref)
    if (height > chain.height) {
      throw serverError(`failed to get block by number: ${aboveHead.comet(height, chain.height)}`)
    }
    const record = blockAt(chain, height)
    if (record === undefined) throw serverError(`block not found for height ${height}`)
    const shown = shownBlock(context, record, '')
    return keptText(shown, 'receipts', () => receiptsOf(shown))
  },
})

function receiptsOf(record: ShownBlock): PlainObject[] {
  return record.ethereum.transactions.map((tx) => receiptJson(record, tx, tx.receipt.cumulativeGasUsed))
}

function heightIn({ node }: Context, ref: BlockRef): bigint {
  try {
    return heightOfRef(node, ref)
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    throw serverError(`failed to get block number from hash: ${error.message}`)
  }
}
