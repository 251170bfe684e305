import { createHash } from 'node:crypto'
import { equalBytes } from '../../src/data/bytes.ts'
import type { MerkleProof } from '../../src/crypto/merkle.ts'

/** Returns whether the proof is valid for the item and root, with exactly the aunts it needs. */
export function verifyMerkleProof(root: Uint8Array, item: Uint8Array, proof: MerkleProof): boolean {
  const { total, index, leafHash, aunts } = proof
  if (index < 0 || index >= total || !equalBytes(leafHash, hashed(0, item))) return false
  const computed = climb(leafHash, aunts, { total, index })
  return computed !== undefined && equalBytes(computed, root)
}

function hashed(prefix: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const hash = createHash('sha256').update(Uint8Array.of(prefix))
  for (const part of parts) hash.update(part)
  return hash.digest()
}

function climb(
  leafHash: Uint8Array,
  aunts: readonly Uint8Array[],
  { total, index }: { total: number; index: number },
): Uint8Array | undefined {
  if (total === 1) return aunts.length === 0 ? leafHash : undefined
  const aunt = aunts.at(-1)
  if (aunt === undefined) return undefined
  const rest = aunts.slice(0, -1)
  // The largest power of two below the count.
  const middle = 2 ** (31 - Math.clz32(total - 1))
  if (index < middle) {
    const left = climb(leafHash, rest, { total: middle, index })
    return left && hashed(1, left, aunt)
  }
  const right = climb(leafHash, rest, { total: total - middle, index: index - middle })
  return right && hashed(1, aunt, right)
}
