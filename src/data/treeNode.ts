/**
 * The nodes of an IAVL tree and their balancing (cosmos/iavl v1 `mutable_tree.go`). A leaf holds a
 * key and a value; an inner node's key is the smallest key of its right subtree. Keys are binary
 * strings. Every node created by a commit has the commit's version.
 */
export type TreeNode = Leaf | Inner

export type Leaf = {
  readonly key: string
  readonly value: Uint8Array
  readonly version: number
  readonly height: 0
  readonly size: 1
  readonly left: undefined
  readonly right: undefined
  /** A binary string, filled on first use (`treeHash.ts`); bytes in states saved by older versions. */
  hash: string | Uint8Array | undefined
}

export type Inner = {
  readonly key: string
  readonly value: undefined
  readonly version: number
  readonly height: number
  readonly size: number
  readonly left: TreeNode
  readonly right: TreeNode
  hash: string | Uint8Array | undefined
}

/** Returns a new leaf. All nodes have the same members in the same order, which V8 reads faster. */
export function makeLeaf(key: string, value: Uint8Array, version: number): Leaf {
  return {
    key,
    value,
    version,
    height: 0,
    size: 1,
    left: undefined,
    right: undefined,
    hash: undefined,
  }
}

/** Returns the tree with the leaf added; replaces a leaf with the same key. */
export function insertLeaf(node: TreeNode | undefined, leaf: Leaf): TreeNode {
  const { key, version } = leaf
  if (node === undefined) return leaf
  if (node.left === undefined) {
    if (key === node.key) return leaf
    return key < node.key ? makeInner(node.key, leaf, node, version) : makeInner(key, node, leaf, version)
  }
  return key < node.key
    ? balanced(node.key, insertLeaf(node.left, leaf), node.right, version)
    : balanced(node.key, node.left, insertLeaf(node.right, leaf), version)
}

/** The rest of a subtree after a removal; `leftmost` is its new smallest key, if that changed. */
export type Removed = { readonly node: TreeNode | undefined; readonly leftmost: string | undefined }

/** Returns the subtree without the key, or undefined if the key was absent. */
export function removeKey(node: TreeNode, key: string, version: number): Removed | undefined {
  if (node.left === undefined) {
    return key === node.key ? { node: undefined, leftmost: undefined } : undefined
  }
  if (key < node.key) {
    const removed = removeKey(node.left, key, version)
    if (removed === undefined) return undefined
    if (removed.node === undefined) return { node: node.right, leftmost: node.key }
    const rest = balanced(node.key, removed.node, node.right, version)
    return { node: rest, leftmost: removed.leftmost }
  }
  const removed = removeKey(node.right, key, version)
  if (removed === undefined) return undefined
  if (removed.node === undefined) return { node: node.left, leftmost: undefined }
  const rest = balanced(removed.leftmost ?? node.key, node.left, removed.node, version)
  return { node: rest, leftmost: undefined }
}

/** Returns a new inner node; `key` is the smallest key of `right`. */
export function makeInner(key: string, left: TreeNode, right: TreeNode, version: number): Inner {
  return {
    key,
    value: undefined,
    version,
    height: Math.max(left.height, right.height) + 1,
    size: left.size + right.size,
    left,
    right,
    hash: undefined,
  }
}

/**
 * Joins two subtrees into one node, rotated if their heights differ by two. A rotated node is new
 * and gets the new version, even if the change did not touch it.
 */
function balanced(key: string, left: TreeNode, right: TreeNode, version: number): TreeNode {
  const balance = left.height - right.height
  if (balance > 1 && left.left !== undefined) return rotateRight(key, left, right, version)
  if (balance < -1 && right.left !== undefined) return rotateLeft(key, left, right, version)
  return makeInner(key, left, right, version)
}

function rotateRight(key: string, left: Inner, right: TreeNode, version: number): Inner {
  const middle = left.right
  if (left.left.height >= middle.height || middle.left === undefined) {
    return makeInner(left.key, left.left, makeInner(key, middle, right, version), version)
  }
  const newLeft = makeInner(left.key, left.left, middle.left, version)
  return makeInner(middle.key, newLeft, makeInner(key, middle.right, right, version), version)
}

function rotateLeft(key: string, left: TreeNode, right: Inner, version: number): Inner {
  const middle = right.left
  if (right.right.height >= middle.height || middle.left === undefined) {
    return makeInner(right.key, makeInner(key, left, middle, version), right.right, version)
  }
  const newRight = makeInner(right.key, middle.right, right.right, version)
  return makeInner(middle.key, makeInner(key, left, middle.left, version), newRight, version)
}
