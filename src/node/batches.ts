/** Batches of wallet calls (EIP-5792) whose id their client chose. */
import type { Submitted } from '../chain/outcome.ts'
import type { Node } from './node.ts'

/** The most batches that a node remembers. */
const batchesMost = 1000

/** Stands for a call without a transaction hash. */
const nowhere = new Uint8Array(32)

/** Returns the hashes of submitted calls, in order; zeros stand for a call without a hash. */
export function batchHashes(each: readonly Submitted[]): readonly Uint8Array[] {
  return each.map(({ ethHash }) => ethHash ?? nowhere)
}

/** Returns the node with a batch in place of an older one of the same id, unless none was admitted. */
export function withBatch(node: Node, id: string, each: readonly Submitted[]): Node {
  if (each[0]?.admitted !== true) return node
  const others = (node.batches ?? []).filter((one) => one.id !== id)
  return { ...node, batches: [...others, { id, hashes: batchHashes(each) }].slice(-batchesMost) }
}
