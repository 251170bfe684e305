/**
 * Finds transactions by query (`comet-rpc.md` §4.4), over an index of the values of their events.
 */
import type { AbciEvent } from '../../app/abci.ts'
import { eventKey, type History } from '../../chain/history.ts'
import { readGoHex } from '../../codec/base64.ts'
import { plainHexOf } from '../../codec/hex.ts'
import { numbersOf } from '../../data/appendIndex.ts'
import { mapGet, mapSize } from '../../data/persistentMap.ts'
import { itemAt } from '../../data/segments.ts'
import type { CometQuery, Condition } from '../../feed/cometQuery.ts'
import { failed } from './errors.ts'
import { eventFits, heightFits, heightRange, isExact, planSearch, type SearchPlan } from './search.ts'

const heightTag = 'tx.height'

/** Returns the numbers of the matching transactions, ascending, each once. */
export function searchTxs(history: History, query: CometQuery): readonly number[] {
  const onHash = query.conditions.find(({ tag }) => tag === 'tx.hash')
  if (onHash !== undefined) return byHash(history, onHash)
  const plan = planSearch(query, heightTag)
  const found = candidates(history, plan)
  return newest(history, isExact(plan) ? found : found.filter((number) => fits(history, plan, number)))
}

/** A condition on the hash, whatever it says, makes the rest of the query void. */
function byHash(history: History, { operand }: Condition): readonly number[] {
  const text = operand === undefined ? '' : operand.type === 'string' ? operand.value : operand.text
  const hash = readGoHex(text)
  if (typeof hash === 'string') {
    throw failed(`error during searching for a hash in the query: ${hash}`)
  }
  if (hash.length === 0) {
    throw failed('error while retrieving the result: transaction hash cannot be empty')
  }
  const number = mapGet(history.txByHash, plainHexOf(hash))
  return number === undefined ? [] : [number]
}

/** Returns the shortest list the index has for a condition, or all of a range of heights. */
function candidates(history: History, plan: SearchPlan): readonly number[] {
  const { height, heights, others } = plan
  const range = numberRange(history, plan)
  if (others.length > 0) {
    const lists = others.map(({ tag, operator, operand }) => {
      const text = operand === undefined
        ? ''
        : operand.type === 'string'
        ? operand.value
        : operand.text
      return numbersOf(
        history.txEvents, operator === '=' ? eventKey(tag, text) : eventKey(tag), range
      )
    })
    return lists.reduce((short, list) => list.length < short.length ? list : short)
  }
  if (heights.length === 0 && height === undefined) return []
  return Array.from(
    { length: Math.max(0, range.to - range.from) }, (_, index) => range.from + index
  )
}

/** Transactions are numbered in order of height, so heights are a range of numbers. */
function numberRange({ txs }: History, plan: SearchPlan): { from: number; to: number } {
  return heightRange(plan, txs.length, (number) => itemAt(txs, number).height)
}

function fits(history: History, plan: SearchPlan, number: number): boolean {
  const { height, result } = itemAt(history.txs, number)
  if (!heightFits(plan, height)) return false
  if (plan.others.length === 0) return plan.height === undefined
    || plan.height.text === height.toString()
  return [...result.events, heightEvent(height)].some((event) => eventFits(plan.others, event))
}

/** The height is filed like an event of its own. */
function heightEvent(height: bigint): AbciEvent {
  return { type: 'tx', attributes: [{ key: 'height', value: height.toString(), index: true }] }
}

/** The store keeps one record per hash: where bytes were included again, the last one. */
function newest(history: History, numbers: readonly number[]): readonly number[] {
  if (mapSize(history.txByHash) === history.txs.length) return numbers
  const last = numbers.map((number) => mapGet(history.txByHash, plainHexOf(itemAt(history.txs, number).hash)) ?? number)
  return [...new Set(last)].toSorted((a, b) => a - b)
}
