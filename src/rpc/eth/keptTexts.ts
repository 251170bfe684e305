/** Caches the texts of mined blocks, transactions and receipts (`keptText.ts`). */
import type { ShownBlock } from '../../chain/block.ts'
import type { Plain } from '../../codec/goJsonWrite.ts'
import { blockJson, minedTxJson, receiptJson } from '../../feed/ethShapes.ts'
import { keptText } from '../keptText.ts'
import type { JsonText } from '../result.ts'
import type { Context } from '../method.ts'
import type { Mined } from './lookup.ts'
import { minedAsIndexed } from './uncommitted.ts'

/** Returns a block with its transactions in full or as hashes; a mined block's text is cached. */
export function blockText(record: ShownBlock, isFull: boolean): Plain | JsonText {
  const make = () => blockJson(record, isFull)
  return isMined(record) ? keptText(record, isFull ? 'full block' : 'hashes block', make) : make()
}

/** Returns a mined transaction as a look-up by hash shows it. */
export function minedTxText(context: Pick<Context, 'node'>, mined: Mined): Plain | JsonText {
  const { record } = mined
  const { tx } = minedAsIndexed(context, mined)
  const make = () => minedTxJson(record, tx)
  return isMined(record) && tx === mined.tx ? keptText(record, `tx ${tx.index}`, make) : make()
}

/**
 * Returns the receipt of a mined transaction as a look-up by hash shows it; `cumulativeGas` is
 * passed to `receiptJson`.
 */
export function receiptText(context: Pick<Context, 'node'>, mined: Mined, cumulativeGas: bigint): Plain | JsonText {
  const { record } = mined
  const { tx } = minedAsIndexed(context, mined)
  const make = () => receiptJson(record, tx, cumulativeGas)
  const isKept = isMined(record) && tx === mined.tx
  return isKept ? keptText(record, `receipt ${tx.index} ${cumulativeGas}`, make) : make()
}

/** A pending block is replaced with each new transaction, so only mined ones are cached. */
function isMined(record: ShownBlock): boolean {
  return 'seenCommit' in record
}
