/** What a commit changed in a tree, found again from the trees before and after it. */
import { fromBinaryString } from './binaryString.ts'
import type { Tree, TreeChange } from './tree.ts'
import type { TreeNode } from './treeNode.ts'

/**
 * Returns the changes that `commit(before, …, version)` makes `after` of, sorted by key; undefined
 * when no such commit does. What the two share is not looked at: O(changes · log keys).
 */
export function changesBetween(before: Tree, after: Tree, version: bigint): readonly TreeChange[] | undefined {
  const changes = new Map<string, Uint8Array | undefined>()
  const shared = new Set<TreeNode>()
  walk(after.root, (node) => {
    if (node.version !== Number(version)) {
      shared.add(node)
      return false
    }
    if (node.left === undefined) changes.set(node.key, node.value)
    return true
  })
  let met = 0
  walk(before.root, (node) => {
    if (shared.has(node)) {
      met++
      return false
    }
    if (node.left === undefined && !changes.has(node.key)) changes.set(node.key, undefined)
    return true
  })
  if (met !== shared.size) return undefined
  return [...changes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => [fromBinaryString(key), value] as const)
}

/** Visits a tree from its root; what is below a node only where `visit` says so. */
function walk(root: TreeNode | undefined, visit: (node: TreeNode) => boolean): void {
  const waiting = root === undefined ? [] : [root]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (visit(node) && node.left !== undefined) waiting.push(node.left, node.right)
  }
}
