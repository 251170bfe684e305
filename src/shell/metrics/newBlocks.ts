import type { Block, BlockRecord } from '../../chain/block.ts'
import { equalBytes } from '../../data/bytes.ts'
import type { Chain } from '../../chain/chain.ts'
import { blockAt } from '../../chain/view.ts'
import type { Simulation } from '../../simulation/turn.ts'

/** A block with the previous one, unless that was pruned. */
export type NewBlock = { readonly record: BlockRecord; readonly before: BlockRecord | undefined }

export type NewBlocks = {
  /** Returns the blocks of a simulation that it has not returned before, oldest first. */
  readonly of: (simulation: Simulation) => readonly NewBlock[]
  /** Marks the blocks of a loaded simulation as already returned. */
  readonly skip: (simulation: Simulation) => void
}

/**
 * Returns an object that finds new blocks: those that the chain seen before does not have. A restored checkpoint
 * brings back older ones, which are known by identity. Blocks that were read from a file have another identity.
 */
export function createNewBlocks(): NewBlocks {
  const known = new WeakSet<Block>()
  let last: Chain | undefined
  const isKnown = ({ block, id }: BlockRecord, height: bigint): boolean => {
    if (known.has(block)) return true
    const earlier = last === undefined ? undefined : blockAt(last, height)
    return earlier !== undefined && equalBytes(earlier.id.hash, id.hash)
  }
  return {
    of: ({ node: { chain } }) => {
      const found: NewBlock[] = []
      for (let height = chain.height; ; height--) {
        const record = blockAt(chain, height)
        if (record === undefined || isKnown(record, height)) break
        known.add(record.block)
        found.push({ record, before: blockAt(chain, height - 1n) })
      }
      last = chain
      return found.reverse()
    },
    skip: ({ node: { chain } }) => {
      last = chain
    },
  }
}
