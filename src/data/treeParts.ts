/**
 * A tree as plain data, without the nodes that an earlier tree of the same chain has. A node keeps
 * its key and version for as long as it exists, so every node that is not newer than the earlier
 * tree is in it, and its key finds it. Hashes are left out: they are computed again on demand.
 */
import { assert } from '../errors.ts'
import type { Tree } from './tree.ts'
import { type Inner, type Leaf, makeInner, makeLeaf, type TreeNode } from './treeNode.ts'

/**
 * A node: a new inner node, a new leaf, or the key of a node of the earlier tree, in an array if it
 * is a leaf.
 */
export type TreePart =
  | readonly [key: string, version: number, left: TreePart, right: TreePart]
  | readonly [key: string, version: number, value: Uint8Array]
  | readonly [key: string]
  | string

/** Returns the tree without the nodes of version `before` and earlier; −1 returns all nodes. */
export function treePart({ root }: Tree, before: number): TreePart | undefined {
  return root && partOf(root, before)
}

function partOf(node: TreeNode, before: number): TreePart {
  const { key, version } = node
  if (node.left === undefined) return version <= before ? [key] : [key, version, node.value]
  return version <= before ? key : [key, version, partOf(node.left, before), partOf(node.right, before)]
}

/** Returns the tree that a part was made from. `earlier` is the tree of the height `before`. */
export function treeOfPart(part: TreePart | undefined, earlier: Tree): Tree {
  return { root: part === undefined ? undefined : nodeOf(part, earlier.root) }
}

function nodeOf(part: TreePart, earlier: TreeNode | undefined): TreeNode {
  if (typeof part === 'string') return innerAt(earlier, part)
  if (part.length === 1) return leafAt(earlier, part[0])
  if (part.length === 3) return makeLeaf(part[0], part[2], part[1])
  const [key, version, left, right] = part
  return makeInner(key, nodeOf(left, earlier), nodeOf(right, earlier), version)
}

function innerAt(root: TreeNode | undefined, key: string): Inner {
  let node = root
  while (node !== undefined && node.left !== undefined && node.key !== key) {
    node = key < node.key ? node.left : node.right
  }
  assert(node !== undefined && node.left !== undefined, 'an earlier inner node is in the earlier tree')
  return node
}

function leafAt(root: TreeNode | undefined, key: string): Leaf {
  let node = root
  while (node !== undefined && node.left !== undefined) node = key < node.key ? node.left : node.right
  assert(node !== undefined && node.left === undefined && node.key === key, 'an earlier leaf is in the earlier tree')
  return node
}
