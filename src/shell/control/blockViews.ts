/** One block as both interfaces show it, with its signatures and the events of its own. */
import { blockAt } from '../../chain/view.ts'
import { eventView } from './eventViews.ts'
import { blockTransactions } from './transactions.ts'
import { blockSignatures, operatorsOf } from './validators.ts'
import { blockView } from './views.ts'
import type { KnownAbis } from './abis.ts'
import type { Instance } from '../ports.ts'

/**
 * Returns the block at a height (decimal digits), or undefined if it does not exist. `events` are
 * those of the block itself; the ones of its transactions stay with these.
 */
export function blockPageView(instance: Instance, height: string, known: KnownAbis) {
  const isHeight = /^\d{1,15}$/.test(height) && instance.playback === undefined
  const record = isHeight ? blockAt(instance.simulation().node.chain, BigInt(height)) : undefined
  if (record === undefined) return undefined
  const operators = operatorsOf(instance)
  const block = blockView(record)
  return {
    ...block,
    isFirst: blockAt(instance.simulation().node.chain, record.block.header.height - 1n) === undefined,
    proposedBy: operators.get(block.proposer) ?? null,
    signatures: blockSignatures(record).map((one) => ({ ...one, ...operators.get(one.consensus) })),
    events: record.results.events.map(eventView),
    list: blockTransactions(instance, record, known),
    ethereum: instance.peek('eth', 'eth_getBlockByNumber', [`0x${BigInt(height).toString(16)}`, false]),
    comet: instance.peek('comet', 'block', { height }),
    results: instance.peek('comet', 'block_results', { height }),
  }
}
