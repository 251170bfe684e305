import type { Block, BlockRecord } from '../../chain/block.ts'
import { blockAt, latestBlock } from '../../chain/view.ts'
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
 * Returns an object that finds new blocks. It identifies blocks by identity, because the same
 * height can get another block after a rollback or a restored checkpoint.
 */
export function createNewBlocks(): NewBlocks {
  const known = new WeakSet<Block>()
  return {
    of: ({ node: { chain } }) => {
      const found: NewBlock[] = []
      for (let height = chain.height; ; height--) {
        const record = blockAt(chain, height)
        if (record === undefined || known.has(record.block)) break
        known.add(record.block)
        found.push({ record, before: blockAt(chain, height - 1n) })
      }
      return found.reverse()
    },
    skip: ({ node: { chain } }) => {
      const newest = latestBlock(chain)
      if (newest !== undefined) known.add(newest.block)
    },
  }
}
