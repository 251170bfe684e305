/** CometBFT's Merkle tree (comet-rpc.md §5.1: RFC 6962 with sha256) and its proofs (§5.7). */
import { concatBytes, equalBytes } from '../data/bytes.ts'
import { sha256 } from './hash.ts'

/** That an item is in a tree; `aunts` are the siblings from the leaf up. */
export type MerkleProof = {
  readonly total: number
  readonly index: number
  readonly leafHash: Uint8Array
  readonly aunts: readonly Uint8Array[]
}

/** Returns the root over the items, 32 bytes; of no items the hash of no bytes. */
export function merkleRoot(items: readonly Uint8Array[]): Uint8Array {
  return merkleRootOfLeaves(items.map(merkleLeaf))
}

/** Returns the root over items whose hashes as leaves are known. */
export function merkleRootOfLeaves(leaves: readonly Uint8Array[]): Uint8Array {
  return leaves.length === 0 ? sha256(new Uint8Array(0)) : rootOf(leaves, 0, leaves.length)
}

/** Returns the hash of one item as a leaf. */
export function merkleLeaf(item: Uint8Array): Uint8Array {
  return sha256(concatBytes([leafPrefix, item]))
}

/** Returns the root and a proof for each item. */
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

/** Returns whether the proof shows the item under the root, with no aunt too many or missing. */
export function verifyMerkleProof(root: Uint8Array, item: Uint8Array, proof: MerkleProof): boolean {
  const { total, index, leafHash, aunts } = proof
  if (index < 0 || index >= total || !equalBytes(leafHash, merkleLeaf(item))) return false
  const computed = climb(leafHash, aunts, { total, index })
  return computed !== undefined && equalBytes(computed, root)
}

const leafPrefix = Uint8Array.of(0)
const innerPrefix = Uint8Array.of(1)
const hashLength = 32

// What an inner hash is made of: its prefix and two hashes. Nothing is kept in it.
const innerBytes = new Uint8Array(1 + 2 * hashLength).fill(1, 0, 1)

function inner(left: Uint8Array, right: Uint8Array): Uint8Array {
  // The aunts of somebody else's proof may have any length.
  if (left.length !== hashLength || right.length !== hashLength) {
    return sha256(concatBytes([innerPrefix, left, right]))
  }
  innerBytes.set(left, 1)
  innerBytes.set(right, 1 + hashLength)
  return sha256(innerBytes)
}

/** The largest power of two below the count, which is 2 or more. */
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
