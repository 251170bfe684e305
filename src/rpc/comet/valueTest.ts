/** Tests of event values, and the index entries that pass them (CometBFT `state/txindex/kv`). */
import type { AbciEvent } from '../../app/abci.ts'
import { eventKey } from '../../chain/indexing.ts'
import { newestKeysOf, numbersOf, numbersOfName, type AppendIndex } from '../../data/appendIndex.ts'
import type { Condition } from '../../feed/cometQuery.ts'
import { boundAt, inRange, keysInRange, type Bound, type ValueRange } from './valueOrder.ts'

/**
 * All ranges on one tag form one test, which a single value must pass. No value passes if `range`
 * is undefined.
 */
export type ValueTest =
  | { readonly tag: string; readonly kind: 'exists' }
  | { readonly tag: string; readonly kind: 'equal' | 'contains'; readonly text: string }
  | { readonly tag: string; readonly kind: 'range'; readonly range: ValueRange | undefined }

/** Returns whether an operator compares numbers. */
export function isRange({ operator }: Condition): boolean {
  return operator === '<' || operator === '<=' || operator === '>' || operator === '>='
}

/** Returns the tests for conditions; ranges come first. */
export function testsOf(conditions: readonly Condition[]): readonly ValueTest[] {
  const ranges = conditions.filter(isRange)
  const tags = [...new Set(ranges.map(({ tag }) => tag))]
  return [
    ...tags.map(
      (tag) => ({ tag, kind: 'range', range: valueRangeOf(ranges.filter((one) => one.tag === tag)) }) as const,
    ),
    ...conditions.filter((one) => !isRange(one)).map(testOf),
  ]
}

function testOf({ tag, operator, operand }: Condition): ValueTest {
  if (operand === undefined) return { tag, kind: 'exists' }
  const text = operand.type === 'string' ? operand.value : operand.text
  return { tag, kind: operator === 'CONTAINS' ? 'contains' : 'equal', text }
}

/**
 * Returns the range for conditions on one tag. The last bound of either side counts; it includes
 * equality if any bound of that side does. Returns undefined, an empty range, if a bound is a time.
 */
export function valueRangeOf(conditions: readonly Condition[]): ValueRange | undefined {
  const [lower, upper] = [boundOf(conditions, '>'), boundOf(conditions, '<')]
  return lower === 'none' || upper === 'none' ? undefined : { lower, upper }
}

function boundOf(conditions: readonly Condition[], sign: '<' | '>'): Bound | undefined | 'none' {
  const side = conditions.filter(({ operator }) => operator.startsWith(sign))
  const operand = side.at(-1)?.operand
  if (operand === undefined) return undefined
  const isIncluded = side.some(({ operator }) => operator.endsWith('='))
  return operand.type === 'number' ? boundAt(operand.text, isIncluded) : 'none'
}

/** Returns whether one event has an attribute for every test. */
export function eventFits(tests: readonly ValueTest[], { type, attributes }: AbciEvent): boolean {
  return tests.every((test) =>
    attributes.some(
      ({ key, value, index }) => index && key !== '' && isTag(test.tag, type, key) && valueFits(test, value),
    ),
  )
}

/**
 * Returns whether a tag is `type.key` without building that text; searches test every event they
 * visit.
 */
function isTag(tag: string, type: string, key: string): boolean {
  return (
    tag.length === type.length + 1 + key.length && tag[type.length] === '.' && tag.startsWith(type) && tag.endsWith(key)
  )
}

/** Equality compares the whole text; the other tests ignore blanks around it. */
function valueFits(test: ValueTest, value: string): boolean {
  switch (test.kind) {
    case 'exists':
      return true
    case 'equal':
      return value === test.text
    case 'contains':
      return value.trim().includes(test.text)
    default:
      return test.range !== undefined && inRange(test.range, value.trim())
  }
}

/** Index entries of a test; `size` estimates the work of reading their numbers. */
type Filed = { readonly size: number; readonly numbers: () => readonly number[] }

/** Returns the ascending numbers from `from` to `to` for the test that is cheapest to read. */
export function filedNumbers(
  index: AppendIndex,
  tests: readonly ValueTest[],
  range: { readonly from: number; readonly to: number },
): readonly number[] {
  const filed = tests.map((test) => filedFor(index, test, range))
  return filed.reduce((least, one) => (one.size < least.size ? one : least)).numbers()
}

function filedFor(index: AppendIndex, test: ValueTest, range: { from: number; to: number }): Filed {
  switch (test.kind) {
    case 'exists':
    case 'equal': {
      const list = numbersOf(index, test.kind === 'equal' ? eventKey(test.tag, test.text) : eventKey(test.tag), range)
      return { size: list.length, numbers: () => list }
    }
    case 'contains': {
      const fits = (key: string) => valueIn(key).includes(test.text)
      const lists = newestKeysOf(index, test.tag)
      const size = lists.reduce((sum, { length }) => sum + length, oldSize(index, range))
      const newest = () => lists.flatMap((keys) => keys.filter(fits))
      return { size, numbers: () => numbersOfName(index, { name: test.tag, fits, newest: newest() }, range) }
    }
    default: {
      const { range: wanted } = test
      if (wanted === undefined) return { size: 0, numbers: () => [] }
      const fits = (key: string) => inRange(wanted, valueIn(key))
      const found = newestKeysOf(index, test.tag).map((keys) => keysInRange(keys, wanted))
      const size = found.reduce((sum, { count }) => sum + count, oldSize(index, range))
      const newest = () => found.flatMap(({ keys }) => keys())
      return { size, numbers: () => numbersOfName(index, { name: test.tag, fits, newest: newest() }, range) }
    }
  }
}

function valueIn(key: string): string {
  return key.slice(key.indexOf('\0') + 1).trim()
}

/** Estimates the number of keys of a name in runs, which are visited one by one: one for each number. */
function oldSize({ old }: AppendIndex, { from, to }: { readonly from: number; readonly to: number }): number {
  return Math.max(0, Math.min(to, old.end) - from)
}
