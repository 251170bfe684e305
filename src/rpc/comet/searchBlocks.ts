/** Finds blocks by query (`comet-rpc.md` §4.5), over an index of the values of their own events. */
import { eventKey, type History } from '../../chain/history.ts'
import { numbersOf } from '../../data/appendIndex.ts'
import { itemAt } from '../../data/segments.ts'
import type { CometQuery } from '../../feed/cometQuery.ts'
import { eventFits, heightFits, heightRange, isExact, planSearch, type SearchPlan } from './search.ts'

const heightTag = 'block.height'

/** Returns the matching heights, ascending; pruned ones are among them. */
export function searchBlocks(history: History, query: CometQuery): readonly number[] {
  const plan = planSearch(query, heightTag)
  const { height, heights, others } = plan
  if (height?.whole === true) return isIndexed(history, height.value) ? [Number(height.value)] : []
  if (others.length === 0 && heights.length === 0) return []
  const found = candidates(history, plan)
  return isExact(plan) ? found : found.filter((number) => heightFits(plan, BigInt(number)) && fits(history, plan, number))
}

function isIndexed({ first, records }: History, height: bigint): boolean {
  return height >= first && height < first + BigInt(records.length)
}

function candidates(history: History, plan: SearchPlan): readonly number[] {
  const start = Number(history.first)
  const range = heightRange(plan, history.records.length, (number) => BigInt(start + number))
  const [from, to] = [start + range.from, start + range.to]
  if (plan.others.length === 0) {
    return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)
  }
  const lists = plan.others.map(({ tag, operator, operand }) => {
    // Heights are filed apart from events: nothing but equality and ranges finds them.
    if (tag === heightTag) return []
    const text = operand === undefined
      ? ''
      : operand.type === 'string'
      ? operand.value
      : operand.text
    const key = operator === '=' ? eventKey(tag, text) : eventKey(tag)
    return numbersOf(history.blockEvents, key, { from, to })
  })
  return lists.reduce((short, list) => list.length < short.length ? list : short)
}

function fits(history: History, { others }: SearchPlan, height: number): boolean {
  if (others.length === 0) return true
  return itemAt(history.events, height - Number(history.first)).some((event) => eventFits(others, event))
}
