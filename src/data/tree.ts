/**
 * A persistent key-value tree with the shape and hashes of a Cosmos store (cosmos/iavl v1). It is
 * an immutable value: every height has its own tree, and a checkpoint is a reference. Only `commit`
 * creates nodes; unchanged nodes are shared.
 */
import { assert } from '../errors.ts'
import { fromBinaryString, toBinaryString } from './binaryString.ts'
import type { BinaryHash } from './bytes.ts'
import type { KeyRange } from './sortedTree.ts'
import { nodeHash } from './treeHash.ts'
import { insertLeaf, type Leaf, makeLeaf, removeKey, type TreeNode } from './treeNode.ts'

/** `root` is undefined if the tree is empty or its leaves are in another thread. */
export type Tree = { readonly root: TreeNode | undefined; readonly far?: FarTree }

/** A tree in another thread, which can be read only by key and range. */
export type FarTree = {
  /** Returns the value of a key, a binary string, or undefined. */
  readonly get: (key: string) => Uint8Array | undefined
  /** Yields the leaves of a range whose bounds are binary strings, in byte order. */
  readonly leaves: (range: KeyRange<string>) => Iterable<Leaf>
}

/** A key and its new value; `undefined` deletes. */
export type TreeChange = readonly [key: Uint8Array, value: Uint8Array | undefined]

/** The same with a key that is a binary string. */
export type KeyedChange = readonly [key: string, value: Uint8Array | undefined]

/** The empty tree. */
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

/** Returns the leaf with the smallest key that is not below `start`, or undefined. */
export function firstLeaf({ root }: Tree, start: string): Leaf | undefined {
  let node = root
  let right: TreeNode | undefined
  while (node !== undefined && node.left !== undefined) {
    if (start < node.key) {
      right = node.right
      node = node.left
    } else node = node.right
  }
  if (node !== undefined && node.key < start) for (node = right; node?.left !== undefined; ) node = node.left
  return node
}

/** Returns the number of keys. */
export function treeSize(tree: Tree): number {
  return tree.root === undefined ? 0 : tree.root.size
}

/** Yields the entries of a range in byte order; keys are copies, values are shared. */
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
 * Returns the tree after changes, which must be sorted by unique keys, as the SDK's cache store
 * writes them. New nodes carry `version`. Writing an unchanged value creates a new leaf; deleting
 * an absent key changes nothing. O(changes · log keys).
 */
export function commit(tree: Tree, changes: Iterable<TreeChange | KeyedChange>, version: bigint): Tree {
  const nodeVersion = Number(version)
  assert(nodeVersion >= 0 && Number.isSafeInteger(nodeVersion), `tree version ${version}`)
  let root = tree.root
  let last: string | undefined
  for (const [given, value] of changes) {
    const key = typeof given === 'string' ? given : toBinaryString(given)
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

/**
 * Returns the root hash as a binary string of 32 characters; for an empty tree, the hash of the empty
 * string. Hashes only new nodes.
 */
export function rootHash(tree: Tree, hash: BinaryHash): string {
  return tree.root === undefined ? hash(noBytes) : nodeHash(tree.root, hash)
}

const noBytes = new Uint8Array(0)
