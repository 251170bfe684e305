/** Searches blocks for the transactions of an account, which no index covers. */
import { blockAt } from '../../chain/view.ts'
import { decodeEthTx } from '../../codec/ethTx.ts'
import { equalBytes } from '../../data/bytes.ts'
import type { Mined } from '../eth/lookup.ts'
import type { Context } from '../method.ts'

/** The first height, the direction and the number of transactions to find. */
export type Sought = { readonly from: bigint; readonly step: 1n | -1n; readonly count: bigint }

/**
 * Returns transactions that touch an account, in the order found, and whether the end of the chain
 * was reached. Blocks are always searched completely, as Otterscan expects of its pages.
 */
export function transactionsOf(
  { node: { chain } }: Context,
  account: Uint8Array,
  { from, step, count }: Sought,
): { readonly hits: readonly Mined[]; readonly isOver: boolean } {
  const hits: Mined[] = []
  const isOver = (at: bigint) => at < chain.history.base || at > chain.height
  let height = from
  for (; !isOver(height) && hits.length < count; height += step) {
    const own = minedAt(blockAt(chain, height)).filter(({ tx }) => touches(tx, account))
    hits.push(...(step < 0n ? own.toReversed() : own))
  }
  return { hits, isOver: isOver(height) }
}

/** Returns the transaction that an account sent with a nonce, or undefined. */
export function sentBy({ node: { chain } }: Context, account: Uint8Array, nonce: bigint): Mined | undefined {
  for (let height = chain.history.base; height <= chain.height; height++) {
    const found = minedAt(blockAt(chain, height)).find(
      ({ tx }) => equalBytes(tx.from, account) && decodeEthTx(tx.raw).nonce === nonce,
    )
    if (found !== undefined) return found
  }
  return undefined
}

function minedAt(record: Mined['record'] | undefined): readonly Mined[] {
  return record === undefined ? [] : record.ethereum.transactions.map((tx) => ({ record, tx }))
}

function touches({ from, raw, receipt }: Mined['tx'], account: Uint8Array): boolean {
  const { to } = decodeEthTx(raw)
  return [from, to, receipt.contractAddress, ...receipt.logs.map((log) => log.address)].some(
    (one) => one !== undefined && equalBytes(one, account),
  )
}
