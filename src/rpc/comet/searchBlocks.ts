/** Finds blocks by query (`comet-rpc.md` §4.5), using an index of the values of block events. */
import { itemAt } from '../../data/segments.ts'
import { numbersIn } from '../../data/sortedRuns.ts'
import type { CometQuery } from '../../feed/cometQuery.ts'
import { heightRange, planSearch } from './search.ts'
import { eventFits, filedNumbers } from './valueTest.ts'
import type { History } from '../../chain/indexing.ts'

const heightTag = 'block.height'

/** The part of a history that is searched for blocks. */
export type BlockIndex = Pick<History, 'first' | 'events' | 'blockEvents'> & {
  readonly records: Pick<History['records'], 'length'>
}

/** Returns the matching heights, ascending, including those of pruned blocks. */
export function searchBlocks(history: BlockIndex, query: CometQuery): readonly number[] {
  const plan = planSearch(query, heightTag)
  const { height, heights, others } = plan
  if (height?.whole === true) return isIndexed(history, height.value) ? [Number(height.value)] : []
  if (others.length === 0 && heights === undefined) return []
  // Heights are indexed apart from events: only equality and ranges find them.
  if (others.some(({ tag }) => tag === heightTag)) return []
  const start = Number(history.first)
  const { from, to } = heightRange(plan, history.records.length, (number) => BigInt(start + number))
  const range = { from: start + from, to: start + to }
  if (others.length === 0) return numbersIn(range)
  const found = filedNumbers(history.blockEvents, others, range)
  return others.length === 1
    ? found
    : found.filter((number) => itemAt(history.events, number - start).some((event) => eventFits(others, event)))
}

function isIndexed({ first, records }: BlockIndex, height: bigint): boolean {
  return height >= first && height < first + BigInt(records.length)
}
