/**
 * Finds blocks and transactions as the node's stores do, and shapes them (`comet-rpc.md` §1.10,
 * §1.16).
 */
import type { BlockRecord, TxRecord } from '../../chain/block.ts'
import type { Chain } from '../../chain/chain.ts'
import type { History } from '../../chain/history.ts'
import { base64Of } from '../../codec/base64.ts'
import { upperHexOf } from '../../codec/comet.ts'
import type { PlainObject } from '../../codec/goJsonWrite.ts'
import { merkleProofs, type MerkleProof } from '../../crypto/merkle.ts'
import { sha256 } from '../../crypto/hash.ts'
import { itemAt } from '../../data/segments.ts'
import { blockIdJson, blockJson, noBlockId, storedTxResultJson } from '../../feed/cometShapes.ts'

/** Returns the answer for a block, or for none. */
export function blockAnswer(record: BlockRecord | undefined): PlainObject {
  if (record === undefined) return { block_id: blockIdJson(noBlockId), block: null }
  return { block_id: blockIdJson(record.id), block: blockJson(record.block) }
}

/** Returns the height up to which validators and parameters are known: one above the latest. */
export function nextHeight(chain: Chain): bigint {
  return chain.height + 1n
}

/** A transaction in its block. */
export type FoundTx = { readonly record: BlockRecord; readonly tx: TxRecord }

/** Returns a transaction by its number in the chain; the index outlives pruned blocks. */
export function indexedTx(history: History, number: number): FoundTx | undefined {
  const { height, index } = itemAt(history.txPlaces, number)
  const at = Number(height - history.first)
  const record = at < 0 || at >= history.records.length ? undefined : itemAt(history.records, at)
  const tx = record?.txs[index]
  return record === undefined || tx === undefined ? undefined : { record, tx }
}

/** Returns the answer for a transaction; its proof is missing when its block is pruned. */
export function txAnswer({ history }: Chain, { record, tx }: FoundTx, prove: boolean): PlainObject {
  const { header, txs } = record.block
  const result = record.results.txResults[tx.index]
  const bytes = txs[tx.index] ?? new Uint8Array(0)
  return {
    hash: upperHexOf(tx.hash),
    height: header.height.toString(),
    index: tx.index,
    tx_result: result === undefined ? null : storedTxResultJson(result),
    tx: base64Of(bytes),
    ...(prove && header.height >= history.base ? { proof: proofJson(record, tx.index) } : {}),
  }
}

/** CometBFT proves the hash of a transaction, not its bytes (§5.7). */
function proofJson({ block }: BlockRecord, index: number): PlainObject {
  const { root, proofs } = merkleProofs(block.txs.map(sha256))
  const proof = proofs[index]
  return {
    root_hash: upperHexOf(root),
    data: base64Of(block.txs[index] ?? new Uint8Array(0)),
    proof: proof === undefined ? null : merkleProofJson(proof),
  }
}

function merkleProofJson({ total, index, leafHash, aunts }: MerkleProof): PlainObject {
  return {
    total: total.toString(),
    index: index.toString(),
    leaf_hash: base64Of(leafHash),
    aunts: aunts.map(base64Of),
  }
}
