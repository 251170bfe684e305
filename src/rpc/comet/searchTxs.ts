/**
 * Finds transactions by query (`comet-rpc.md` §4.4), using an index of the values of their events.
 */
import type { AbciEvent } from '../../app/abci.ts'
import type { SearchedTx, History } from '../../chain/indexing.ts'
import { readGoHex } from '../../codec/base64.ts'
import { plainHexOf } from '../../codec/hex.ts'
import { mapGet, mapSize } from '../../data/persistentMap.ts'
import { itemAt, type Segments } from '../../data/segments.ts'
import { numbersIn } from '../../data/sortedRuns.ts'
import type { CometQuery, Condition } from '../../feed/cometQuery.ts'
import { failed } from './errors.ts'
import { heightRange, planSearch, type SearchPlan } from './search.ts'
import { eventFits, filedNumbers } from './valueTest.ts'

const heightTag = 'tx.height'

/** The part of a history that is searched for transactions. */
export type TxIndex = Pick<History, 'repeatedTxs' | 'txEvents'> & {
  readonly txs: Segments<Pick<SearchedTx, 'height'>>
  readonly read: (number: number) => SearchedTx
  readonly numberOf: (hash: Uint8Array) => number | undefined
}

/** Returns the numbers of the matching transactions, ascending and without duplicates. */
export function searchTxs(history: TxIndex, query: CometQuery): readonly number[] {
  const onHash = query.conditions.find(({ tag }) => tag === 'tx.hash')
  if (onHash !== undefined) return byHash(history, onHash)
  const plan = planSearch(query, heightTag)
  const found = candidates(history, plan)
  return newest(history, isExact(plan) ? found : found.filter((number) => fits(history, plan, number)))
}

/** Any condition on the hash overrides the rest of the query. */
function byHash(history: TxIndex, { operand }: Condition): readonly number[] {
  const text = operand === undefined ? '' : operand.type === 'string' ? operand.value : operand.text
  const hash = readGoHex(text)
  if (typeof hash === 'string') {
    throw failed(`error during searching for a hash in the query: ${hash}`)
  }
  if (hash.length === 0) {
    throw failed('error while retrieving the result: transaction hash cannot be empty')
  }
  const number = history.numberOf(hash)
  return number === undefined ? [] : [number]
}

/**
 * Returns the candidates of the index, or all transactions of a height range if there are no tests.
 */
function candidates({ txs, txEvents }: TxIndex, plan: SearchPlan): readonly number[] {
  const { height, heights, others } = plan
  if (heights === undefined && height === undefined && others.length === 0) return []
  // Transactions are numbered in order of height, so a height range is a range of numbers.
  const range = heightRange(plan, txs.length, (number) => itemAt(txs, number).height)
  if (others.length > 0) return filedNumbers(txEvents, others, range)
  return height === undefined || isHeight(height) ? numbersIn(range) : []
}

/** Heights are indexed as text, so `05` and `5.0` find nothing. */
function isHeight({ value, text }: NonNullable<SearchPlan['height']>): boolean {
  return value > 0n && text === value.toString()
}

/** Several tests must be met by one event, which the index cannot tell. */
function isExact({ others }: SearchPlan): boolean {
  return others.length <= 1
}

function fits(history: TxIndex, { others }: SearchPlan, number: number): boolean {
  const { height, result } = history.read(number)
  return [...result.events, heightEvent(height)].some((event) => eventFits(others, event))
}

/** The height is indexed as an event of its own. */
function heightEvent(height: bigint): AbciEvent {
  return { type: 'tx', attributes: [{ key: 'height', value: height.toString(), index: true }] }
}

/** The store keeps one record per hash: the last inclusion of these bytes. */
function newest(history: TxIndex, numbers: readonly number[]): readonly number[] {
  if (mapSize(history.repeatedTxs) === 0) return numbers
  const last = numbers.map(
    (number) => mapGet(history.repeatedTxs, plainHexOf(history.read(number).hash))?.at(-1) ?? number,
  )
  return [...new Set(last)].toSorted((a, b) => a - b)
}
