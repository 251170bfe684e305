/**
 * Orders the numeric values of a tag, so that a range is found without visiting the other values.
 * The order is cached with the index and extended when it is searched.
 */
import { compareDecimals, decimalOf, isDecimal, type Decimal } from './decimal.ts'

/** A number as text and as a double; a number that is compared often is also parsed. */
type Comparable = { readonly text: string; readonly near: number; readonly exact?: Decimal }

/** A bound of a range. */
export type Bound = Comparable & { readonly isIncluded: boolean }
export type ValueRange = { readonly lower: Bound | undefined; readonly upper: Bound | undefined }

/** Returns a bound at a decimal number. */
export function boundAt(text: string, isIncluded: boolean): Bound {
  return { text, near: Number(text), exact: decimalOf(text), isIncluded }
}

/** Returns whether a text is a number within the bounds. */
export function inRange({ lower, upper }: ValueRange, text: string): boolean {
  if (!isDecimal(text)) return false
  const value = { text, near: Number(text) }
  const meets = (bound: Bound, sign: number) => {
    const order = byNumber(value, bound) * sign
    return order > 0 || (order === 0 && bound.isIncluded)
  }
  return (lower === undefined || meets(lower, 1)) && (upper === undefined || meets(upper, -1))
}

type Numbered = Comparable & { readonly key: string }

/** `main` holds nearly all entries and `tail` the newest, so that adding a few stays cheap. */
type Order = { seen: number; main: readonly Numbered[]; tail: readonly Numbered[] }

const orders = new WeakMap<readonly string[], Order>()

/** Keys of a range, counted before any are copied. */
export type Found = { readonly count: number; readonly keys: () => readonly string[] }

/**
 * Returns the keys whose values are in a range. `keys` must only grow at its end; each key is the
 * tag, NUL and a value. Values that are not numbers are in no range.
 */
export function keysInRange(keys: readonly string[], range: ValueRange): Found {
  const { main, tail } = orderOf(keys)
  const runs = [main, tail].map((run) => ({ run, ...placesOf(run, range) }))
  return {
    count: runs.reduce((sum, { from, to }) => sum + to - from, 0),
    keys: () => runs.flatMap(({ run, from, to }) => run.slice(from, to).map(({ key }) => key)),
  }
}

function orderOf(keys: readonly string[]): Order {
  const order: Order = orders.get(keys) ?? { seen: 0, main: [], tail: [] }
  orders.set(keys, order)
  if (order.seen === keys.length) return order
  const fresh = keys.slice(order.seen).flatMap(numbered).sort(byNumber)
  order.seen = keys.length
  order.tail = merged(order.tail, fresh)
  if (order.tail.length * 8 > order.main.length) {
    order.main = merged(order.main, order.tail)
    order.tail = []
  }
  return order
}

function numbered(key: string): readonly Numbered[] {
  const text = key.slice(key.indexOf('\0') + 1).trim()
  return isDecimal(text) ? [{ key, text, near: Number(text) }] : []
}

/** Rounding to a double preserves the order, so only equal doubles need an exact comparison. */
function byNumber(a: Comparable, b: Comparable): number {
  if (a.near !== b.near) return a.near < b.near ? -1 : 1
  return a.text === b.text ? 0 : compareDecimals(exactly(a), exactly(b))
}

function exactly({ text, exact }: Comparable): Decimal {
  return exact ?? decimalOf(text)
}

function merged(a: readonly Numbered[], b: readonly Numbered[]): readonly Numbered[] {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a
  const all: Numbered[] = []
  let [left, right] = [0, 0]
  for (;;) {
    const [one, other] = [a[left], b[right]]
    if (one === undefined && other === undefined) return all
    const isLeft = other === undefined || (one !== undefined && byNumber(one, other) <= 0)
    const next = isLeft ? one : other
    if (next !== undefined) all.push(next)
    if (isLeft) left++
    else right++
  }
}

function placesOf(
  run: readonly Numbered[],
  { lower, upper }: ValueRange,
): {
  readonly from: number
  readonly to: number
} {
  const from = lower === undefined ? 0 : firstWhere(run, lower, lower.isIncluded ? 0 : 1)
  const to = upper === undefined ? run.length : firstWhere(run, upper, upper.isIncluded ? 1 : 0)
  return { from, to: Math.max(from, to) }
}

/** Returns the first position whose number is at least (0) or above (1) a bound. */
function firstWhere(run: readonly Numbered[], bound: Bound, least: 0 | 1): number {
  let [low, high] = [0, run.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const one = run[middle]
    if (one !== undefined && byNumber(one, bound) >= least) high = middle
    else low = middle + 1
  }
  return low
}
