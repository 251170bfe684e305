/**
 * Shared by tx_search and block_search: how the node's key-value indexer splits a query
 * (`comet-rpc.md` §4.4, §4.5; CometBFT `state/txindex/kv`, `state/indexer/block/kv`).
 */
import { parseJson } from '../../codec/goJson.ts'
import type { CometQuery, Condition } from '../../feed/cometQuery.ts'
import { parseQuery, QuerySyntaxError } from '../../feed/parseQuery.ts'
import { JsonText } from '../result.ts'
import { failed } from './errors.ts'
import { inRange, type ValueRange } from './valueOrder.ts'
import { isRange, valueRangeOf, testsOf, type ValueTest } from './valueTest.ts'

export const mostQueryBytes = 512

/**
 * Returns the conditions of a query. Throws the node's error if the query is too long or invalid.
 */
export function readQuery(text: string, { isLimited }: { isLimited: boolean }): CometQuery {
  const isTooLong = isLimited && new TextEncoder().encode(text).length > mostQueryBytes
  if (isTooLong) throw failed('maximum query length exceeded')
  try {
    return parseQuery(text)
  } catch (error) {
    if (!(error instanceof QuerySyntaxError)) throw error
    throw failed(error.message)
  }
}

/** Returns ascending results in the requested order. Throws for an unknown order. */
export function inOrder<Found>(found: readonly Found[], order: string, fallback: 'asc' | 'desc'): readonly Found[] {
  if (order !== '' && order !== 'asc' && order !== 'desc') {
    throw failed('expected order_by to be either `asc` or `desc` or empty')
  }
  return (order === '' ? fallback : order) === 'asc' ? found : found.toReversed()
}

/**
 * Returns the results of both chains on a fork, in ascending order. `other` is the list of the other
 * chain's results (`Context.other`), which are returned as text.
 */
export function withOther(other: string | undefined, own: readonly number[]): readonly (number | JsonText)[] {
  const list = other === undefined ? undefined : parseJson(other)
  return list?.type === 'array' ? [...list.items.map(({ raw }) => new JsonText(raw)), ...own] : own
}

/**
 * A query split into its parts. `heights` are conditions that limit the height. `height` is the
 * value of an equality on the height; `whole` if the query has no other condition. `others` must
 * all match one event.
 */
export type SearchPlan = {
  readonly heights: { readonly range: ValueRange | undefined } | undefined
  readonly height:
    | {
        readonly value: bigint
        readonly text: string
        readonly whole: boolean
      }
    | undefined
  readonly others: readonly ValueTest[]
}

/**
 * Returns the plan of a query. Only the first equality on the height counts, and it is ignored if
 * there is any other condition on the height. A text that is not a number is dropped.
 */
export function planSearch({ conditions }: CometQuery, heightTag: string): SearchPlan {
  const onHeight = conditions.filter(({ tag }) => tag === heightTag)
  const others = conditions.filter(({ tag }) => tag !== heightTag)
  const equal = onHeight.filter(({ operator }) => operator === '=').flatMap(equality)[0]
  const rest = onHeight.filter(({ operator }) => operator !== '=')
  const ranges = rest.filter(isRange)
  const heights = ranges.length === 0 ? undefined : { range: valueRangeOf(ranges) }
  if (rest.length > 0)
    return {
      heights,
      height: undefined,
      others: testsOf([...rest.filter((one) => !isRange(one)), ...others]),
    }
  return {
    heights,
    height: equal && { ...equal, whole: others.length === 0 },
    others: testsOf(others),
  }
}

/** Fractions are truncated for the height; the text keeps them. */
function equality({ operand }: Condition): readonly { value: bigint; text: string }[] {
  const text = operand === undefined ? '' : operand.type === 'string' ? operand.value : operand.text
  if (!/^[+-]?\d+(\.\d*)?$/.test(text)) return []
  return [{ value: BigInt(text.replace(/\..*$/, '').replace(/^\+/, '')), text }]
}

/**
 * Returns the range of numbers whose heights satisfy the conditions. Heights must ascend with the
 * numbers from 0 to `count`, exclusive.
 */
export function heightRange(
  { height, heights }: SearchPlan,
  count: number,
  heightOf: (number: number) => bigint,
): { readonly from: number; readonly to: number } {
  if (heights !== undefined && heights.range === undefined) return { from: 0, to: 0 }
  const isFixed = height !== undefined && height.value !== 0n
  const { lower, upper } = heights?.range ?? { lower: undefined, upper: undefined }
  const isBelow = (wanted: bigint) =>
    isFixed ? wanted < height.value : !inRange({ lower, upper: undefined }, wanted.toString())
  const isAbove = (wanted: bigint) =>
    isFixed ? wanted > height.value : !inRange({ lower: undefined, upper }, wanted.toString())
  const from = firstWhere(count, (number) => !isBelow(heightOf(number)))
  return {
    from,
    to: Math.max(
      from,
      firstWhere(count, (number) => isAbove(heightOf(number))),
    ),
  }
}

/**
 * Returns the first number for which the test holds. The test must hold for all numbers above it.
 */
function firstWhere(length: number, holds: (number: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
