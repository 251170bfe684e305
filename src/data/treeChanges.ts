/** Recovers the changes of a commit from the trees before and after it. */
import { fromBinaryString } from './binaryString.ts'
import type { Tree, TreeChange } from './tree.ts'
import type { TreeNode } from './treeNode.ts'

/**
 * Returns the changes with which `commit(before, …, version)` returns `after`, sorted by key, or
 * undefined if no such commit exists. Shared nodes are not visited: O(changes · log keys).
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

/** Visits a tree from its root; descends into a node only if `visit` returns true. */
function walk(root: TreeNode | undefined, visit: (node: TreeNode) => boolean): void {
  const waiting = root === undefined ? [] : [root]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (visit(node) && node.left !== undefined) waiting.push(node.left, node.right)
  }
}
