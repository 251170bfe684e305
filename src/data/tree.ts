/**
 * A persistent key-value tree with the shape and hashes of a Cosmos store (cosmos/iavl v1): an
 * immutable value, so every height keeps its own and a checkpoint is a reference. Only `commit`
 * makes nodes; what a commit does not touch is shared.
 */
import { assert } from '../errors.ts'
import { fromBinaryString, toBinaryString } from './binaryString.ts'
import type { HashFunction } from './bytes.ts'
import type { KeyRange } from './sortedTree.ts'
import { nodeHash } from './treeHash.ts'
import { insertLeaf, type Leaf, makeLeaf, removeKey, type TreeNode } from './treeNode.ts'

/** `root` is undefined when the tree is empty, and when its leaves are in another thread. */
export type Tree = { readonly root: TreeNode | undefined; readonly far?: FarTree }

/** Where the leaves of a tree are that only reads by key and range can reach. */
export type FarTree = {
  /** Returns the value of a key, a binary string, or undefined. */
  readonly get: (key: string) => Uint8Array | undefined
  /** Yields the leaves of a range whose bounds are binary strings, in byte order. */
  readonly leaves: (range: KeyRange<string>) => Iterable<Leaf>
}

/** A key and its new value; `undefined` deletes. */
export type TreeChange = readonly [key: Uint8Array, value: Uint8Array | undefined]

/** The tree without keys, of any version. */
export const emptyTree: Tree = { root: undefined }

/** Returns the value of a key, or undefined. The value is shared: do not write to it. */
export function get(tree: Tree, key: Uint8Array): Uint8Array | undefined {
  return getBinary(tree, toBinaryString(key))
}

/** Returns the value of a key that is a binary string, or undefined. */
export function getBinary(tree: Tree, key: string): Uint8Array | undefined {
  let node = tree.root
  while (node !== undefined && node.left !== undefined) {
    node = key < node.key ? node.left : node.right
  }
  if (node === undefined) return tree.far?.get(key)
  return node.key === key ? node.value : undefined
}

/** Returns whether the key is there. */
export function has(tree: Tree, key: Uint8Array): boolean {
  return get(tree, key) !== undefined
}

/** Returns the number of keys. */
export function treeSize(tree: Tree): number {
  return tree.root === undefined ? 0 : tree.root.size
}

/** Yields the entries of a range in byte order; nothing is copied but the keys it yields. */
export function* iterate(
  tree: Tree,
  range: KeyRange<Uint8Array> = {},
): Generator<readonly [key: Uint8Array, value: Uint8Array]> {
  const start = range.start && toBinaryString(range.start)
  const end = range.end && toBinaryString(range.end)
  for (const leaf of iterateLeaves(tree, { start, end, reverse: range.reverse })) {
    yield [fromBinaryString(leaf.key), leaf.value]
  }
}

/** Yields the leaves of a range whose bounds are binary strings. */
export function* iterateLeaves(tree: Tree, range: KeyRange<string> = {}): Generator<Leaf> {
  const { start = '', end, reverse = false } = range
  if (tree.far !== undefined) return yield* tree.far.leaves(range)
  const waiting: TreeNode[] = tree.root === undefined ? [] : [tree.root]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.left === undefined) {
      if (node.key >= start && (end === undefined || node.key < end)) yield node
      continue
    }
    const left = start < node.key ? node.left : undefined
    const right = end === undefined || node.key < end ? node.right : undefined
    const [first, second] = reverse ? [right, left] : [left, right]
    if (second !== undefined) waiting.push(second)
    if (first !== undefined) waiting.push(first)
  }
}

/**
 * Returns the tree after the changes, which come sorted by key, each key once, as the SDK's cache
 * store writes them. New nodes carry `version`. Writing the same value makes a new leaf; deleting
 * what is not there changes nothing. O(changes · log keys).
 */
export function commit(tree: Tree, changes: Iterable<TreeChange>, version: bigint): Tree {
  const nodeVersion = Number(version)
  assert(nodeVersion >= 0 && Number.isSafeInteger(nodeVersion), `tree version ${version}`)
  let root = tree.root
  let last: string | undefined
  for (const [bytes, value] of changes) {
    const key = toBinaryString(bytes)
    assert(last === undefined || last < key, 'changes to a tree must be sorted by key')
    last = key
    if (value !== undefined) {
      root = insertLeaf(root, makeLeaf(key, value, nodeVersion))
    } else if (root !== undefined) {
      const removed = removeKey(root, key, nodeVersion)
      if (removed !== undefined) root = removed.node
    }
  }
  return root === tree.root ? tree : { root }
}

/** Returns the root hash, 32 bytes; of an empty tree the hash of nothing. Hashes new nodes only. */
export function rootHash(tree: Tree, hash: HashFunction): Uint8Array {
  return tree.root === undefined ? hash(new Uint8Array(0)) : nodeHash(tree.root, hash)
}
