/**
 * Matches events against a query (`comet-rpc.md` §4.3). Each condition is checked independently.
 */
import { unlessRefused } from '../errors.ts'
import { parseDate, parseTime } from '../codec/time.ts'
import { compareTime } from '../data/time.ts'
import type { CometQuery, Condition, Operand } from './cometQuery.ts'

/** Values by composite key `type.attribute`, in order of occurrence. */
export type EventMap = ReadonlyMap<string, readonly string[]>

/** Returns whether for each condition some value of its tag satisfies it. */
export function matchesQuery({ conditions }: CometQuery, events: EventMap): boolean {
  return conditions.every((condition) => meets(condition, events))
}

function meets(condition: Condition, events: EventMap): boolean {
  const values = events.get(condition.tag)
  if (values === undefined) return condition.operator === 'EXISTS' && hasType(events, condition.tag)
  return condition.operand === undefined || values.some((value) => valueMeets(condition, value))
}

/**
 * Returns whether there is an event of a type. `EXISTS` also accepts a bare event type as its tag.
 */
function hasType(events: EventMap, type: string): boolean {
  for (const key of events.keys()) if (key.startsWith(`${type}.`)) return true
  return false
}

/** Returns whether an attribute value satisfies a condition. */
function valueMeets({ operator, operand }: Condition, value: string): boolean {
  if (operand === undefined) return true
  if (operand.type === 'string') {
    return operator === 'CONTAINS' ? value.includes(operand.value) : value === operand.value
  }
  const order = operand.type === 'number' ? compareNumber(value, operand.text) : compareMoment(value, operand)
  return order !== undefined && orderMeets(operator, order)
}

function orderMeets(operator: Condition['operator'], order: number): boolean {
  switch (operator) {
    case '=':
      return order === 0
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    case '>=':
      return order >= 0
    default:
      return false
  }
}

/**
 * Compares numbers of any size and precision. A value may have a unit after it (`8atom`), but no
 * sign.
 */
function compareNumber(value: string, wanted: string): number | undefined {
  const number = /^\d+(?:\.\d+)?/.exec(value)?.[0]
  if (number === undefined) return undefined
  const [a, b] = [scaled(number), scaled(wanted)]
  const places = Math.max(a.places, b.places)
  const difference = a.digits * 10n ** BigInt(places - a.places) - b.digits * 10n ** BigInt(places - b.places)
  return difference === 0n ? 0 : difference < 0n ? -1 : 1
}

function scaled(text: string): { digits: bigint; places: number } {
  const [whole = '', fraction = ''] = text.split('.')
  return { digits: BigInt(whole + fraction), places: fraction.length }
}

function compareMoment(value: string, operand: Extract<Operand, { type: 'time' | 'date' }>): number | undefined {
  return unlessRefused(() => compareTime(operand.type === 'time' ? parseTime(value) : parseDate(value), operand.value))
}
