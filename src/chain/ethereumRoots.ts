/**
 * The header fields of Ethereum JSON-RPC that follow from the block's transactions alone: trie
 * roots and the log filter. They are rarely requested, so they are computed on demand, once per
 * transaction list.
 */
import { encodeRlp, rlpInteger } from '../codec/rlp.ts'
import { trieRoot } from '../crypto/trie.ts'
import { concatBytes } from '../data/bytes.ts'
import { remembered } from '../data/remembered.ts'
import type { EthereumTx } from './block.ts'
import { bloomOf, joinBlooms } from './bloom.ts'

type Transactions = readonly EthereumTx[]

/** Returns the root of the trie over the transactions' canonical encodings, 32 bytes. */
export const transactionsRoot = remembered(
  (transactions: Transactions): Uint8Array => listRoot(transactions.map(({ raw }) => raw)),
)

/** Returns the root of the trie over the transactions' receipts, 32 bytes. */
export const receiptsRoot = remembered(
  (transactions: Transactions): Uint8Array => listRoot(transactions.map(receiptBytes)),
)

/** Returns the log filter of all transactions' logs, 256 bytes. */
export const blockBloom = remembered(
  (transactions: Transactions): Uint8Array => joinBlooms(transactions.map(({ receipt }) => bloomOf(receipt.logs))),
)

const emptyTrieRoot = trieRoot([])

function listRoot(items: readonly Uint8Array[]): Uint8Array {
  if (items.length === 0) return emptyTrieRoot
  return trieRoot(items.map((item, index) => [encodeRlp(rlpInteger(BigInt(index))), item]))
}

/** Encodes a receipt as EIP-2718: the type byte before the list, except for legacy transactions. */
function receiptBytes({ raw, receipt }: EthereumTx): Uint8Array {
  const list = encodeRlp([
    receipt.failed ? new Uint8Array(0) : Uint8Array.of(1),
    rlpInteger(receipt.cumulativeGasUsed),
    bloomOf(receipt.logs),
    receipt.logs.map(({ address, topics, data }) => [address, topics, data]),
  ])
  const type = raw[0] ?? 0
  return type >= 0xc0 ? list : concatBytes([Uint8Array.of(type), list])
}
