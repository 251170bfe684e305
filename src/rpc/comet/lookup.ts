/**
 * Finds blocks and transactions as the node's stores do, and shapes the results (`comet-rpc.md`
 * §1.10, §1.16).
 */
import { zeroBlockId } from '../../chain/hashing.ts'
import type { BlockRecord } from '../../chain/block.ts'
import type { Chain } from '../../chain/chain.ts'
import { recordAt } from '../../chain/history.ts'
import { base64Of } from '../../codec/base64.ts'
import { upperHexOf } from '../../codec/comet.ts'
import { writeJson, type PlainObject } from '../../codec/goJsonWrite.ts'
import { merkleProofs, type MerkleProof } from '../../crypto/merkle.ts'
import { sha256 } from '../../crypto/hash.ts'
import { blockIdJson, blockJson, storedTxResultJson } from '../../feed/cometShapes.ts'
import type { TxResult } from '../../app/abci.ts'
import type { IndexedTx } from '../../chain/indexing.ts'
import { keptText } from '../keptText.ts'
import { JsonText } from '../result.ts'

/** Returns the answer for a block, or for no block if undefined. */
export function blockAnswer(record: BlockRecord | undefined): JsonText {
  if (record === undefined) return new JsonText(writeJson({ block_id: blockIdJson(zeroBlockId), block: null }))
  return keptText(record, 'block', () => ({ block_id: blockIdJson(record.id), block: blockJson(record.block) }))
}

/** Returns the highest height with known validators and parameters: one above the latest. */
export function highestKnown(chain: Chain): bigint {
  return chain.height + 1n
}

/** Returns the answer for a transaction. It has no proof if its block is pruned. */
export function txAnswer({ history }: Chain, { hash, height, index, tx, result }: IndexedTx, prove: boolean): JsonText {
  const record = prove ? recordAt(history, height) : undefined
  const proof = record === undefined ? '' : `,"proof":${writeJson(proofJson(record, index))}`
  return new JsonText(
    `{"hash":"${upperHexOf(hash)}","height":"${height}","index":${index},` +
      `"tx_result":${txResultText(result).text},"tx":"${base64Of(tx)}"${proof}}`,
  )
}

/** Returns the text of a transaction's result in its stored form. */
export function txResultText(result: TxResult): JsonText {
  return keptText(result, 'result', () => storedTxResultJson(result))
}

/** CometBFT's proof covers the hash of a transaction, not its bytes (§5.7). */
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
