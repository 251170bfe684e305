import type { Block, BlockRecord } from '../../chain/block.ts'
import { blockAt, latestBlock } from '../../chain/view.ts'
import type { Simulation } from '../../simulation/turn.ts'

/** A block with the one before it, where that is still held. */
export type NewBlock = { readonly record: BlockRecord; readonly before: BlockRecord | undefined }

export type NewBlocks = {
  /** Returns the blocks of a simulation that were not returned before, oldest first. */
  readonly of: (simulation: Simulation) => readonly NewBlock[]
  /** Takes the blocks of a loaded simulation for known. */
  readonly skip: (simulation: Simulation) => void
}

/**
 * Returns what tells new blocks from known ones, also after a rollback or a restored checkpoint,
 * where a height may come again with another block.
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
