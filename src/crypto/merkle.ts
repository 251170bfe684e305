/** CometBFT's Merkle tree (comet-rpc.md §5.1: RFC 6962 with sha256) and its proofs (§5.7). */
import { fromBinaryString, putBinaryString } from '../data/binaryString.ts'
import { concatBytes } from '../data/bytes.ts'
import { sha256, sha256Binary } from './hash.ts'

/** A proof that an item is in a tree; `aunts` are the sibling hashes from the leaf up. */
export type MerkleProof = {
  readonly total: number
  readonly index: number
  readonly leafHash: Uint8Array
  readonly aunts: readonly Uint8Array[]
}

/** Returns the 32-byte root over the items; for no items, the hash of no bytes. */
export function merkleRoot(items: readonly Uint8Array[]): Uint8Array {
  const [first] = items
  if (first === undefined) return sha256(new Uint8Array(0))
  if (items.length === 1) return fromBinaryString(merkleLeaf(first))
  return fromBinaryString(rootOf(items.map(merkleLeaf), 0, items.length))
}

/** Returns the leaf hash of an item as a binary string of 32 characters. */
export function merkleLeaf(item: Uint8Array): string {
  const length = item.length + 1
  if (length > leafBytes.length) return sha256Binary(concatBytes([leafPrefix, item]))
  leafBytes.set(item, 1)
  return sha256Binary(leafBytes.subarray(0, length))
}

/** A Merkle tree over leaf hashes; `inners` holds its inner nodes, children before parents. */
export type MerkleTree = {
  readonly root: string
  readonly inners: readonly { readonly left: string; readonly right: string; readonly hash: string }[]
}

/**
 * Returns the tree over leaf hashes, at least one; all hashes are binary strings. Inner nodes of `before`, a
 * tree over as many leaves, are reused where their children are the same.
 */
export function merkleTree(leaves: readonly string[], before?: MerkleTree): MerkleTree {
  const inners: { left: string; right: string; hash: string }[] = []
  const build = (from: number, to: number): string => {
    if (to - from === 1) return leaves[from] ?? ''
    const middle = from + splitPoint(to - from)
    const left = build(from, middle)
    const right = build(middle, to)
    const known = before?.inners[inners.length]
    const isKnown = known !== undefined && known.left === left && known.right === right
    const node = isKnown ? known : { left, right, hash: inner(left, right) }
    inners.push(node)
    return node.hash
  }
  const root = build(0, leaves.length)
  return { root, inners }
}

/** Returns the root over the items and a proof for each. */
export function merkleProofs(items: readonly Uint8Array[]): { root: Uint8Array; proofs: MerkleProof[] } {
  if (items.length === 0) return { root: merkleRoot(items), proofs: [] }
  const leaves = items.map((item) => fromBinaryString(merkleLeaf(item)))
  const aunts = items.map((): Uint8Array[] => [])
  const root = collect(leaves, aunts, [0, items.length])
  const proofs = leaves.map(
    (leafHash, index): MerkleProof => ({ total: items.length, index, leafHash, aunts: aunts[index] ?? [] }),
  )
  return { root, proofs }
}

const leafPrefix = Uint8Array.of(0)
const innerPrefix = Uint8Array.of(1)
const hashLength = 32

// Reusable buffers: the prefix of a leaf and a short item, the prefix of an inner node and two child hashes.
const leafBytes = new Uint8Array(512)
const innerBytes = new Uint8Array(1 + 2 * hashLength).fill(1, 0, 1)

function inner(left: string, right: string): string {
  putBinaryString(innerBytes, putBinaryString(innerBytes, 1, left), right)
  return sha256Binary(innerBytes)
}

/** Returns the largest power of two below the count, which must be at least 2. */
function splitPoint(count: number): number {
  return 2 ** (31 - Math.clz32(count - 1))
}

function rootOf(leaves: readonly string[], from: number, to: number): string {
  if (to - from === 1) return leaves[from] ?? ''
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
  return sha256(concatBytes([innerPrefix, left, right]))
}
