/** CometBFT's Merkle tree (comet-rpc.md §5.1: RFC 6962 with sha256) and its proofs (§5.7). */
import { concatBytes, equalBytes } from '../data/bytes.ts'
import { sha256 } from './hash.ts'

/** A proof that an item is in a tree; `aunts` are the sibling hashes from the leaf up. */
export type MerkleProof = {
  readonly total: number
  readonly index: number
  readonly leafHash: Uint8Array
  readonly aunts: readonly Uint8Array[]
}

/** Returns the 32-byte root over the items; for no items, the hash of no bytes. */
export function merkleRoot(items: readonly Uint8Array[]): Uint8Array {
  return merkleRootOfLeaves(items.map(merkleLeaf))
}

/** Returns the 32-byte root over leaf hashes. */
export function merkleRootOfLeaves(leaves: readonly Uint8Array[]): Uint8Array {
  return leaves.length === 0 ? sha256(new Uint8Array(0)) : rootOf(leaves, 0, leaves.length)
}

/** Returns the leaf hash of an item. */
export function merkleLeaf(item: Uint8Array): Uint8Array {
  return sha256(concatBytes([leafPrefix, item]))
}

/** Returns the root over the items and a proof for each. */
export function merkleProofs(items: readonly Uint8Array[]): { root: Uint8Array; proofs: MerkleProof[] } {
  if (items.length === 0) return { root: merkleRoot(items), proofs: [] }
  const leaves = items.map(merkleLeaf)
  const aunts = items.map((): Uint8Array[] => [])
  const root = collect(leaves, aunts, [0, items.length])
  const proofs = leaves.map(
    (leafHash, index): MerkleProof => ({ total: items.length, index, leafHash, aunts: aunts[index] ?? [] }),
  )
  return { root, proofs }
}

/** Returns whether the proof is valid for the item and root, with exactly the aunts it needs. */
export function verifyMerkleProof(root: Uint8Array, item: Uint8Array, proof: MerkleProof): boolean {
  const { total, index, leafHash, aunts } = proof
  if (index < 0 || index >= total || !equalBytes(leafHash, merkleLeaf(item))) return false
  const computed = climb(leafHash, aunts, { total, index })
  return computed !== undefined && equalBytes(computed, root)
}

const leafPrefix = Uint8Array.of(0)
const innerPrefix = Uint8Array.of(1)
const hashLength = 32

// A reusable buffer for inner nodes: the prefix and two child hashes.
const innerBytes = new Uint8Array(1 + 2 * hashLength).fill(1, 0, 1)

function inner(left: Uint8Array, right: Uint8Array): Uint8Array {
  // In a proof from outside, the aunts may have any length.
  if (left.length !== hashLength || right.length !== hashLength) {
    return sha256(concatBytes([innerPrefix, left, right]))
  }
  innerBytes.set(left, 1)
  innerBytes.set(right, 1 + hashLength)
  return sha256(innerBytes)
}

/** Returns the largest power of two below the count, which must be at least 2. */
function splitPoint(count: number): number {
  return 2 ** (31 - Math.clz32(count - 1))
}

function rootOf(leaves: readonly Uint8Array[], from: number, to: number): Uint8Array {
  if (to - from === 1) return leaves[from] ?? new Uint8Array(0)
  const middle = from + splitPoint(to - from)
  return inner(rootOf(leaves, from, middle), rootOf(leaves, middle, to))
}

function collect(
  leaves: readonly Uint8Array[],
  aunts: readonly Uint8Array[][],
  [from, to]: readonly [number, number],
): Uint8Array {
  if (to - from === 1) return leaves[from] ?? new Uint8Array(0)
  const middle = from + splitPoint(to - from)
  const left = collect(leaves, aunts, [from, middle])
  const right = collect(leaves, aunts, [middle, to])
  for (let i = from; i < to; i++) aunts[i]?.push(i < middle ? right : left)
  return inner(left, right)
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
  const middle = splitPoint(total)
  if (index < middle) {
    const left = climb(leafHash, rest, { total: middle, index })
    return left && inner(left, aunt)
  }
  const right = climb(leafHash, rest, { total: total - middle, index: index - middle })
  return right && inner(aunt, right)
}
