/**
 * Blocks with a transaction that ran but could not be committed. The node fails to show such a
 * block because it expects logs which the transaction does not have (quirk
 * `uncommitted-tx-hides-block`).
 */
import { maxInt64 } from '../../codec/goIntegers.ts'
import type { BlockRecord, EthereumTx, ShownBlock } from '../../chain/block.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import type { Context } from '../method.ts'
import { checkCrash, grpcText, serverError } from './errors.ts'
import type { Mined } from './lookup.ts'

type Resulting = ShownBlock & Partial<Pick<BlockRecord, 'results'>>

const isQuirky = ({ node }: Pick<Context, 'node'>) => hasQuirk(node.settings, 'uncommitted-tx-hides-block')

const isUncommitted = ({ receipt }: EthereumTx) => receipt.isMissing === true

const cause =
  'failed to get receipts from comet block: failed to convert tx result to eth receipt: invalid message index: 0'

/**
 * Returns a block that the node can show, or throws its error; `as` names the form it was building.
 */
export function shownBlock<Shown extends ShownBlock>(context: Pick<Context, 'node'>, record: Shown, as = 'rpc'): Shown {
  if (!isQuirky(context) || !record.ethereum.transactions.some(isUncommitted)) return record
  throw serverError(as === '' ? `${cause}, ` : `failed to get ${as} block from comet block: ${cause}`)
}

/**
 * Returns a transaction as a look-up by hash shows it: uncommitted transactions before it are not
 * counted in its index.
 */
export function minedAsIndexed(context: Pick<Context, 'node'>, { record, tx }: Mined): Mined {
  if (!isQuirky(context)) return { record, tx }
  const left = record.ethereum.transactions.slice(0, tx.index).filter(isUncommitted).length
  return left === 0 ? { record, tx } : { record, tx: { ...tx, index: tx.index - left } }
}

/**
 * Returns the transaction at an index of a block: the first that a look-up by hash shows with that
 * index.
 */
export function minedAt(context: Pick<Context, 'node'>, record: ShownBlock, wanted: bigint): EthereumTx | undefined {
  // The node's index is signed, and it only looks whether it is below the number of transactions.
  checkCrash(context, wanted > maxInt64)
  const index = Number(wanted)
  const { transactions } = record.ethereum
  const indexed = transactions.find((tx) => minedAsIndexed(context, { record, tx }).tx.index === index)
  return indexed === undefined ? transactions[index] : { ...indexed, index }
}

/** Throws the node's error for the trace of a transaction that could not be committed. */
export function checkCommitted(context: Context, { results }: Resulting, tx: EthereumTx): void {
  if (!isQuirky(context) || !isUncommitted(tx)) return
  const log = results?.txResults[tx.cometIndex]?.log ?? ''
  throw serverError(grpcText('Internal', log.slice(Math.max(0, log.indexOf('failed to commit stateDB')))))
}
