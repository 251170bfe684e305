/**
 * Blocks that hold a transaction which ran but could not be committed, as the node trips over them
 * (quirk `uncommitted-tx-hides-block`): it looks for logs that such a transaction does not have.
 */
import type { BlockRecord, EthereumTx, ShownBlock } from '../../chain/block.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import type { Context } from '../method.ts'
import { grpcText, serverError } from './errors.ts'
import type { Mined } from './lookup.ts'

type Resulting = ShownBlock & Partial<Pick<BlockRecord, 'results'>>

const isQuirky = ({ node }: Pick<Context, 'node'>) => hasQuirk(node.settings, 'uncommitted-tx-hides-block')

const isUncommitted = ({ receipt }: EthereumTx) => receipt.isMissing === true

const cause =
  'failed to get receipts from comet block: failed to convert tx result to eth receipt: invalid message index: 0'

/** Returns a block that the node can show, or throws its error; `as` is what it was making of it. */
export function shownBlock<Shown extends ShownBlock>(context: Pick<Context, 'node'>, record: Shown, as = 'rpc'): Shown {
  if (!isQuirky(context) || !record.ethereum.transactions.some(isUncommitted)) return record
  throw serverError(as === '' ? `${cause}, ` : `failed to get ${as} block from comet block: ${cause}`)
}

/** Returns a transaction as its hash finds it: its index leaves out those not committed before it. */
export function minedAsIndexed(context: Pick<Context, 'node'>, { record, tx }: Mined): Mined {
  if (!isQuirky(context)) return { record, tx }
  const left = record.ethereum.transactions.slice(0, tx.index).filter(isUncommitted).length
  return left === 0 ? { record, tx } : { record, tx: { ...tx, index: tx.index - left } }
}

/** Returns the transaction at a place of a block: the first one that its hash finds with that index. */
export function minedAt(context: Pick<Context, 'node'>, record: ShownBlock, index: number): EthereumTx | undefined {
  const { transactions } = record.ethereum
  const indexed = transactions.find((tx) => minedAsIndexed(context, { record, tx }).tx.index === index)
  return indexed === undefined ? transactions[index] : { ...indexed, index }
}

/** Throws the error that a trace of a block has in place of a transaction that could not be committed. */
export function checkCommitted(context: Context, { results }: Resulting, tx: EthereumTx): void {
  if (!isQuirky(context) || !isUncommitted(tx)) return
  const log = results?.txResults[tx.cometIndex]?.log ?? ''
  throw serverError(grpcText('Internal', log.slice(Math.max(0, log.indexOf('failed to commit stateDB')))))
}
