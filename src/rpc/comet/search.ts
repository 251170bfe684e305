/**
 * What tx_search and block_search have in common: how the node's key-value indexer takes a query
 * apart (`comet-rpc.md` §4.4, §4.5; CometBFT `state/txindex/kv`, `state/indexer/block/kv`).
 */
import type { AbciEvent } from '../../app/abci.ts'
import type { CometQuery, Condition } from '../../feed/cometQuery.ts'
import { parseQuery, QuerySyntaxError } from '../../feed/parseQuery.ts'
import { failed } from './errors.ts'

export const mostQueryBytes = 512

/** Returns a query's conditions. Throws the node's text for one that is too long or no query. */
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

/** Returns ascending numbers in the order asked for. Throws for an order that does not exist. */
export function inOrder(
  numbers: readonly number[], order: string, fallback: 'asc' | 'desc'
): readonly number[] {
  if (order !== '' && order !== 'asc' && order !== 'desc') {
    throw failed('expected order_by to be either `asc` or `desc` or empty')
  }
  return (order === '' ? fallback : order) === 'asc' ? numbers : numbers.toReversed()
}

/**
 * A query taken apart. `heights` are conditions on the height that only narrow down; `height` is
 * the one of an equality, `whole` when the query asks for nothing else. `others` must hold together
 * for one event.
 */
export type SearchPlan = {
  readonly heights: readonly Condition[]
  readonly height: {
    readonly value: bigint; readonly text: string; readonly whole: boolean
  } | undefined
  readonly others: readonly Condition[]
}

/**
 * Returns the plan of a query. The first equality of a height counts, and none at all beside any
 * other condition on it; a text that is no number is dropped.
 */
export function planSearch({ conditions }: CometQuery, heightTag: string): SearchPlan {
  const onHeight = conditions.filter(({ tag }) => tag === heightTag)
  const others = conditions.filter(({ tag }) => tag !== heightTag)
  const equal = onHeight.filter(({ operator }) => operator === '=').flatMap(equality)[0]
  const rest = onHeight.filter(({ operator }) => operator !== '=')
  const ranges = rest.filter(({ operator }) => isRange(operator))
  const texts = rest.filter(({ operator }) => !isRange(operator))
  const isWhole = others.length === 0 && texts.length === 0
  if (rest.length > 0) return { heights: ranges, height: undefined, others: [...texts, ...others] }
  return { heights: [], height: equal && { ...equal, whole: isWhole }, others }
}

function isRange(operator: Condition['operator']): boolean {
  return operator === '<' || operator === '<=' || operator === '>' || operator === '>='
}

/** Fractions are cut for the height, but the text stays what it is. */
function equality({ operand }: Condition): readonly { value: bigint; text: string }[] {
  const text = operand === undefined ? '' : operand.type === 'string' ? operand.value : operand.text
  if (!/^[+-]?\d+(\.\d*)?$/.test(text)) return []
  return [{ value: BigInt(text.replace(/\..*$/, '').replace(/^\+/, '')), text }]
}

/** Returns whether a height satisfies every condition on it. */
export function heightFits({ heights, height }: SearchPlan, wanted: bigint): boolean {
  if (height !== undefined && height.value !== 0n) return height.value === wanted
  return heights.every((condition) => numberFits(condition, wanted.toString()))
}

/**
 * Returns the range of numbers whose heights satisfy the conditions on it, where heights grow with
 * numbers from 0 up to `count`.
 */
export function heightRange(
  plan: SearchPlan, count: number, heightOf: (number: number) => bigint
): { readonly from: number; readonly to: number } {
  const side = (sign: string): SearchPlan =>
    ({ ...plan, heights: plan.heights.filter(({ operator }) => operator.startsWith(sign)) })
  const { height } = plan
  const isFixed = height !== undefined && height.value !== 0n
  const isBelow = (wanted: bigint) => isFixed ? wanted < height.value : !heightFits(side('>'), wanted)
  const isAbove = (wanted: bigint) => isFixed ? wanted > height.value : !heightFits(side('<'), wanted)
  return {
    from: firstWhere(count, (number) => !isBelow(heightOf(number))),
    to: firstWhere(count, (number) => isAbove(heightOf(number))),
  }
}

/** Returns the first number from 0 for which the test holds, which then holds for all above. */
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

/** Returns whether the index answers alone: it knows heights, and which events have a tag or a value. */
export function isExact({ height, others }: SearchPlan): boolean {
  const [only, ...more] = others
  if (height !== undefined || more.length > 0) return false
  return only === undefined || only.operator === '=' || only.operator === 'EXISTS'
}

/** Returns whether one event has an attribute for every condition. */
export function eventFits(
  conditions: readonly Condition[], { type, attributes }: AbciEvent
): boolean {
  return conditions.every((condition) => attributes.some(({ key, value, index }) =>
    index && key !== '' && isTag(condition.tag, type, key) && valueFits(condition, value)))
}

/** Whether a tag is `type.key`, without making that text: searches ask it of every event they pass. */
function isTag(tag: string, type: string, key: string): boolean {
  return tag.length === type.length + 1 + key.length && tag[type.length] === '.' && tag.startsWith(type) && tag.endsWith(key)
}

/**
 * Returns whether a value satisfies a condition: equality is by text, ranges need a whole number.
 */
function valueFits(condition: Condition, value: string): boolean {
  const { operator, operand } = condition
  if (operand === undefined) return true
  if (operator === 'CONTAINS') return operand.type === 'string' && value.includes(operand.value)
  if (operator === '=') return value === (operand.type === 'string' ? operand.value : operand.text)
  return numberFits(condition, value)
}

function numberFits({ operator, operand }: Condition, value: string): boolean {
  if (operand?.type !== 'number' || !/^[+-]?\d+(\.\d*)?([eE][+-]?\d+)?$/.test(value)) return false
  const order = compareDecimals(value, operand.text)
  switch (operator) {
    case '<': return order < 0
    case '<=': return order <= 0
    case '>': return order > 0
    case '>=': return order >= 0
    default: return false
  }
}

/** Returns the sign of the difference of two decimal numbers, exactly. */
function compareDecimals(left: string, right: string): number {
  const [a, b] = [scaled(left), scaled(right)]
  const places = Math.max(a.places, b.places)
  const difference =
    a.digits * 10n ** BigInt(places - a.places) - b.digits * 10n ** BigInt(places - b.places)
  return difference === 0n ? 0 : difference < 0n ? -1 : 1
}

function scaled(text: string): { digits: bigint; places: number } {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace(/^\+/, '').split('.')
  const places = fraction.length - Math.max(-4096, Math.min(4096, Number(exponent)))
  const digits = BigInt(whole + fraction)
  return places >= 0 ? { digits, places } : { digits: digits * 10n ** BigInt(-places), places: 0 }
}
