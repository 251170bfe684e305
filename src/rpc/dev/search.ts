/** Searches blocks for the transactions of an account. */
import { accountsOf, blocksOfAccount, blocksOfSender, type Walk } from '../../chain/accountSearch.ts'
import { decodeEthTx } from '../../codec/ethTx.ts'
import { equalBytes } from '../../data/bytes.ts'
import type { Mined } from '../eth/lookup.ts'
import type { Context } from '../method.ts'

/** The first height, the direction and the number of transactions to find. */
export type Sought = Walk & { readonly count: bigint }

/**
 * Returns transactions that touch an account, in the order found, and whether the end of the chain
 * was reached. Blocks are always searched completely, as Otterscan expects of its pages.
 */
export function accountTransactions(
  { node: { chain } }: Context,
  account: Uint8Array,
  { from, step, count }: Sought,
): { readonly hits: readonly Mined[]; readonly isOver: boolean } {
  const hits: Mined[] = []
  for (const record of blocksOfAccount(chain.history, account, { from, step })) {
    const own = minedIn(record).filter(({ tx }) => accountsOf(tx).some((one) => equalBytes(one, account)))
    hits.push(...(step < 0n ? own.toReversed() : own))
    const { height } = record.block.header
    const isLast = height === (step < 0n ? chain.history.base : chain.height)
    if (hits.length >= count) return { hits, isOver: isLast }
  }
  return { hits, isOver: true }
}

/** Returns the transaction that an account sent with a nonce, or undefined. */
export function sentBy({ node: { chain } }: Context, account: Uint8Array, nonce: bigint): Mined | undefined {
  for (const record of blocksOfSender(chain.history, account, nonce)) {
    const found = minedIn(record).find(({ tx }) => equalBytes(tx.from, account) && decodeEthTx(tx.raw).nonce === nonce)
    if (found !== undefined) return found
  }
  return undefined
}

function minedIn(record: Mined['record']): readonly Mined[] {
  return record.ethereum.transactions.map((tx) => ({ record, tx }))
}
