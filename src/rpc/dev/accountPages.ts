/** Pages of an account's transactions, as Otterscan reads them; on a fork, both chains give a part (`Context.other`). */
import type { Plain, PlainObject } from '../../codec/goJsonWrite.ts'
import { minedTxJson, receiptJson } from '../../feed/ethShapes.ts'
import { invalidParams } from '../eth/errors.ts'
import type { Mined } from '../eth/lookup.ts'
import type { Context } from '../method.ts'
import { otherOr } from './control.ts'
import { accountTransactions } from './search.ts'

const sizeMost = 1000n

/** Transactions with receipts, newest first. `firstPage` means that none is newer, `lastPage` that none is older. */
type Page = {
  readonly txs: readonly Plain[]
  readonly receipts: readonly Plain[]
  readonly firstPage: boolean
  readonly lastPage: boolean
}

type Asked = readonly [account: Uint8Array, block: bigint, count: bigint]

const noTxs: Page = { txs: [], receipts: [], firstPage: true, lastPage: true }

/** Returns the size of a page. Throws if it is not allowed. */
export function limited(count: bigint): bigint {
  if (count < 1n || count > sizeMost)
    throw invalidParams(`expected a page of 1 to ${sizeMost} transactions, received ${count}`)
  return count
}

/** Returns transactions before a block. The other chain's follow where ours do not fill the page. */
export function pageBefore(context: Context, [account, block, count]: Asked): Plain {
  const { height } = context.node.chain
  const from = block === 0n || block > height ? height : block - 1n
  const { hits, isOver } = accountTransactions(context, account, { from, step: -1n, count: limited(count) })
  const older = otherOr<Page>(context, noTxs)
  const more = isOver ? wholeBlocks(older.txs, Number(count) - hits.length) : 0
  return {
    txs: [...txsOf(hits), ...older.txs.slice(0, more)],
    receipts: [...hits.map(receiptOf), ...older.receipts.slice(0, more)],
    firstPage: block === 0n,
    lastPage: isOver && more === older.txs.length && older.lastPage,
  }
}

/** Returns transactions after a block. Ours precede the other chain's where those do not fill the page. */
export function pageAfter(context: Context, [account, block, count]: Asked): Plain {
  const size = Number(limited(count))
  const older = otherOr<Page>(context, noTxs)
  const room = older.firstPage ? size - older.txs.length : 0
  const { base } = context.node.chain.history
  const from = block < base ? base : block + 1n
  const sought = { from, step: 1n, count: BigInt(Math.max(room, 1)) } as const
  const { hits, isOver } = accountTransactions(context, account, sought)
  const shown = room > 0 ? hits.toReversed() : []
  return {
    txs: [...txsOf(shown), ...older.txs],
    receipts: [...shown.map(receiptOf), ...older.receipts],
    firstPage: older.firstPage && isOver && shown.length === hits.length,
    lastPage: block === 0n,
  }
}

/** Returns the number of transactions that fill the room on a page, with all those of the last one's block. */
function wholeBlocks(txs: readonly Plain[], room: number): number {
  if (room <= 0) return 0
  const last = blockNumberOf(txs[room - 1])
  const rest = txs.slice(room)
  const end = rest.findIndex((one) => blockNumberOf(one) !== last)
  return end < 0 ? txs.length : room + end
}

function blockNumberOf(tx: Plain | undefined): unknown {
  return (tx as PlainObject | undefined)?.['blockNumber']
}

function txsOf(hits: readonly Mined[]): readonly Plain[] {
  return hits.map(({ record, tx }) => minedTxJson(record, tx))
}

/** Returns a receipt with the time of its block. */
export function receiptOf({ record, tx }: Mined): PlainObject {
  return {
    ...receiptJson(record, tx, tx.receipt.cumulativeGasUsed),
    timestamp: Number(record.block.header.time.seconds),
  }
}
