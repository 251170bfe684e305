/** Pending transactions as Ethereum JSON-RPC shows them (`cosmos-evm-rpc.md` §2.9, §8). */
import type { MempoolTx } from '../../chain/event.ts'
import { heldByComet, waiting } from '../../chain/mempool.ts'
import type { Plain, PlainObject } from '../../codec/goJsonWrite.ts'
import { equalBytes } from '../../data/bytes.ts'
import { mapEntries } from '../../data/persistentMap.ts'
import type { Signed } from '../../feed/ethShapes.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import type { Context } from '../method.ts'
import { ethereumOf } from './lookup.ts'
import { checksumAddress } from '../../crypto/checksumAddress.ts'

/** An Ethereum transaction in the mempool; it is `queued` if an earlier nonce is missing. */
export type WaitingEthTx = Signed & { readonly nonce: bigint; readonly queued: boolean }

// Number of unconfirmed transactions that the node requests from CometBFT (cosmos-evm-rpc.md §2.3).
const windowSize = 30

/** Returns the transactions in the mempool that methods can see, in order of arrival. */
export function waitingTxs({ node }: Context): readonly MempoolTx[] {
  const {
    settings,
    chain: { mempool },
  } = node
  if (!hasQuirk(settings, 'pending-thirty')) return waiting(mempool)
  return heldByComet(mempool).slice(0, windowSize)
}

/** Returns the Ethereum transaction with a hash from the mempool, or undefined. */
export function findWaiting(context: Context, hash: Uint8Array): Signed | undefined {
  const view = ethereumOf(context)
  for (const entry of waitingTxs(context)) {
    const known = entry.info?.ethHash
    if (known !== undefined && equalBytes(known, hash)) return view.unwrap(entry.tx)[0]
  }
  return undefined
}

/**
 * Returns the nonce after an account's pending transactions, or the committed nonce without any. A node
 * counts all that CometBFT has.
 */
export function pendingNonce(context: Context, owner: Uint8Array, committed: bigint): bigint {
  const countsAll = hasQuirk(context.node.settings, 'pending-thirty')
  const own = waitingTxs(context).filter(
    ({ info, queued }) =>
      (countsAll || !queued) && info !== undefined && info.nonce >= committed && equalBytes(info.sender, owner),
  )
  return committed + BigInt(own.length)
}

/**
 * Returns the mempool by sender and nonce, or undefined if the application keeps none (`max-txs`
 * −1).
 */
export function poolContent(context: Context): PoolContent | undefined {
  if (context.node.settings.mempoolMaxTxs < 0) return undefined
  const view = ethereumOf(context)
  const content: PoolContent = { pending: new Map(), queued: new Map() }
  for (const [, { tx, info, queued }] of mapEntries(context.node.chain.mempool.txs)) {
    const signed = info?.ethHash === undefined ? undefined : view.unwrap(tx)[0]
    if (info === undefined || signed === undefined) continue
    const bySender = content[queued ? 'queued' : 'pending']
    const sender = checksumAddress(info.sender)
    bySender.set(sender, [...(bySender.get(sender) ?? []), { ...signed, nonce: info.nonce, queued }])
  }
  return content
}

/** Pending transactions by the checksummed address of their sender. */
export type PoolContent = {
  readonly pending: Map<string, readonly WaitingEthTx[]>
  readonly queued: Map<string, readonly WaitingEthTx[]>
}

/**
 * Returns both halves of the mempool as JSON: by sender, then by decimal nonce, both sorted; `leaf`
 * shapes each transaction.
 */
export function poolJson(context: Context, leaf: (tx: WaitingEthTx) => Plain): PlainObject {
  const content = poolContent(context)
  const half = (txs: PoolContent['pending'] = new Map()) => {
    const senders = [...txs].sort(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(senders.map(([sender, own]) => [sender, byNonce(own, leaf)]))
  }
  return { pending: half(content?.pending), queued: half(content?.queued) }
}

/** Returns the transactions of one sender by decimal nonce. */
export function byNonce(txs: readonly WaitingEthTx[], leaf: (tx: WaitingEthTx) => Plain): PlainObject {
  const sorted = txs.toSorted((a, b) => Number(a.nonce - b.nonce))
  return Object.fromEntries(sorted.map((tx) => [tx.nonce.toString(), leaf(tx)]))
}
