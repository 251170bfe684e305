/**
 * A persistent balanced (AVL) search tree, used by `persistentMap.ts` and `agenda.ts`. Every
 * operation takes the order as a function and leaves the given tree unchanged.
 */
export type SortedTree<Key, Value> = {
  readonly key: Key
  readonly value: Value
  readonly left: SortedTree<Key, Value> | undefined
  readonly right: SortedTree<Key, Value> | undefined
  readonly height: number
  readonly size: number
}

/** Returns a negative number, 0 or a positive number as `a` sorts before, with or after `b`. */
export type Order<Key> = (a: Key, b: Key) => number

/** Keys from `start` (inclusive) to `end` (exclusive), ascending unless `reverse`. */
export type KeyRange<Key> = {
  readonly start?: Key | undefined
  readonly end?: Key | undefined
  readonly reverse?: boolean | undefined
}

type Tree<Key, Value> = SortedTree<Key, Value> | undefined

/** Returns the node of a key, or undefined. */
export function findNode<Key, Value>(tree: Tree<Key, Value>, key: Key, order: Order<Key>): Tree<Key, Value> {
  let node = tree
  while (node !== undefined) {
    const side = order(key, node.key)
    if (side === 0) return node
    node = side < 0 ? node.left : node.right
  }
  return undefined
}

/** Returns the tree with the entry added or replaced. */
export function insertEntry<Key, Value>(
  tree: Tree<Key, Value>,
  entry: readonly [Key, Value],
  order: Order<Key>,
): SortedTree<Key, Value> {
  const [key, value] = entry
  if (tree === undefined) return join(key, value, undefined, undefined)
  const side = order(key, tree.key)
  if (side === 0) return join(key, value, tree.left, tree.right)
  return side < 0
    ? balanced(tree, insertEntry(tree.left, entry, order), tree.right)
    : balanced(tree, tree.left, insertEntry(tree.right, entry, order))
}

/** Returns the tree without the key, or the same tree if the key is absent. */
export function removeEntry<Key, Value>(tree: Tree<Key, Value>, key: Key, order: Order<Key>): Tree<Key, Value> {
  if (tree === undefined) return undefined
  const side = order(key, tree.key)
  if (side < 0) {
    const left = removeEntry(tree.left, key, order)
    return left === tree.left ? tree : balanced(tree, left, tree.right)
  }
  if (side > 0) {
    const right = removeEntry(tree.right, key, order)
    return right === tree.right ? tree : balanced(tree, tree.left, right)
  }
  if (tree.left === undefined) return tree.right
  if (tree.right === undefined) return tree.left
  const next = firstNode(tree.right)
  return balanced(next, tree.left, removeEntry(tree.right, next.key, order))
}

/** Returns the node with the smallest key. */
export function firstNode<Key, Value>(tree: SortedTree<Key, Value>): SortedTree<Key, Value> {
  let node = tree
  while (node.left !== undefined) node = node.left
  return node
}

/** Yields the nodes with start ≤ key < end in ascending or, with `reverse`, descending order. */
export function* iterateNodes<Key, Value>(
  tree: Tree<Key, Value>,
  order: Order<Key>,
  range: KeyRange<Key> = {},
): Generator<SortedTree<Key, Value>> {
  const { start, end, reverse = false } = range
  const waiting: SortedTree<Key, Value>[] = []
  let node = tree
  while (node !== undefined || waiting.length > 0) {
    if (node === undefined) {
      node = waiting.pop()
      if (node === undefined) return
      yield node
      node = reverse ? node.left : node.right
    } else if (start !== undefined && order(node.key, start) < 0) {
      node = node.right
    } else if (end !== undefined && order(node.key, end) >= 0) {
      node = node.left
    } else {
      waiting.push(node)
      node = reverse ? node.right : node.left
    }
  }
}

/** Returns a tree from entries that are sorted by unique keys. O(n). */
export function fromSorted<Key, Value>(entries: readonly (readonly [Key, Value])[]): Tree<Key, Value> {
  const build = (from: number, to: number): Tree<Key, Value> => {
    const middle = (from + to) >> 1
    const entry = from < to ? entries[middle] : undefined
    return entry && join(entry[0], entry[1], build(from, middle), build(middle + 1, to))
  }
  return build(0, entries.length)
}

function join<Key, Value>(
  key: Key,
  value: Value,
  left: Tree<Key, Value>,
  right: Tree<Key, Value>,
): SortedTree<Key, Value> {
  const height = Math.max(left?.height ?? 0, right?.height ?? 0) + 1
  return { key, value, left, right, height, size: (left?.size ?? 0) + (right?.size ?? 0) + 1 }
}

function balanced<Key, Value>(
  { key, value }: SortedTree<Key, Value>,
  left: Tree<Key, Value>,
  right: Tree<Key, Value>,
): SortedTree<Key, Value> {
  const balance = (left?.height ?? 0) - (right?.height ?? 0)
  if (balance > 1 && left !== undefined) {
    const middle = left.right
    if (middle === undefined || (left.left?.height ?? 0) >= middle.height) {
      return join(left.key, left.value, left.left, join(key, value, middle, right))
    }
    const newLeft = join(left.key, left.value, left.left, middle.left)
    return join(middle.key, middle.value, newLeft, join(key, value, middle.right, right))
  }
  if (balance < -1 && right !== undefined) {
    const middle = right.left
    if (middle === undefined || (right.right?.height ?? 0) >= middle.height) {
      return join(right.key, right.value, join(key, value, left, middle), right.right)
    }
    const newRight = join(right.key, right.value, middle.right, right.right)
    return join(middle.key, middle.value, join(key, value, left, middle.left), newRight)
  }
  return join(key, value, left, right)
}
