/**
 * ICS23 proofs for tree keys, as plain values (cosmos/iavl v1 `proof_ics23.go`). All operations
 * hash with sha256; a leaf hashes its value first and has varint length prefixes.
 */
import { fromBinaryString, toBinaryString } from './binaryString.ts'
import { type BinaryHash, concatBytes } from './bytes.ts'
import { iterateLeaves, type Tree } from './tree.ts'
import { nodeHash, nodePrefix } from './treeHash.ts'
import type { Leaf } from './treeNode.ts'

/** One step towards the root: the parent's hash is the hash of prefix ‖ child ‖ suffix. */
export type InnerOp = { readonly prefix: Uint8Array; readonly suffix: Uint8Array }

/** Proves that a key has a value; `path` leads from the leaf to the root. */
export type ExistenceProof = {
  readonly key: Uint8Array
  readonly value: Uint8Array
  readonly leafPrefix: Uint8Array
  readonly path: readonly InnerOp[]
}

/** Proves that a key is absent: its two neighbours are adjacent leaves. */
export type NonExistenceProof = {
  readonly key: Uint8Array
  readonly left: ExistenceProof | undefined
  readonly right: ExistenceProof | undefined
}

/** Returns the proof that a key exists, or undefined if it does not. */
export function existenceProof(tree: Tree, key: Uint8Array, hash: BinaryHash): ExistenceProof | undefined {
  return proveLeaf(tree, toBinaryString(key), hash)
}

/**
 * Returns the proof that a key is absent, or undefined if it exists. An empty tree has no
 * neighbours, so its proof convinces nobody, but iavl returns it.
 */
export function nonExistenceProof(tree: Tree, key: Uint8Array, hash: BinaryHash): NonExistenceProof | undefined {
  const text = toBinaryString(key)
  const above = first(iterateLeaves(tree, { start: text }))
  if (above?.key === text) return undefined
  const below = first(iterateLeaves(tree, { end: text, reverse: true }))
  return {
    key,
    left: below && proveLeaf(tree, below.key, hash),
    right: above && proveLeaf(tree, above.key, hash),
  }
}

const lengthOfHash = Uint8Array.of(32)

function proveLeaf(tree: Tree, key: string, hash: BinaryHash): ExistenceProof | undefined {
  const path: InnerOp[] = []
  let node = tree.root
  while (node !== undefined && node.left !== undefined) {
    const goesLeft = key < node.key
    const sibling = fromBinaryString(nodeHash(goesLeft ? node.right : node.left, hash))
    const before = goesLeft ? [] : [lengthOfHash, sibling]
    const after = goesLeft ? [lengthOfHash, sibling] : []
    path.push({
      prefix: concatBytes([nodePrefix(node), ...before, lengthOfHash]),
      suffix: concatBytes(after),
    })
    node = goesLeft ? node.left : node.right
  }
  if (node === undefined || node.key !== key) return undefined
  const leafPrefix = nodePrefix(node)
  return { key: fromBinaryString(key), value: node.value, leafPrefix, path: path.reverse() }
}

function first(leaves: Iterable<Leaf>): Leaf | undefined {
  for (const leaf of leaves) return leaf
  return undefined
}
