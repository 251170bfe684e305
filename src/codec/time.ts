import type { Time } from '../data/time.ts'
import { SimError } from '../errors.ts'
import { goQuote } from './goText.ts'

const secondsPerDay = 86_400n

/**
 * Returns RFC 3339 in UTC with up to nine decimals; trailing zeros and a bare dot are omitted
 * (comet-rpc.md §0.2).
 */
export function formatTime({ seconds, nanos }: Time): string {
  const second = Number(((seconds % secondsPerDay) + secondsPerDay) % secondsPerDay)
  const { year, month, day } = civilOf(Number((seconds - BigInt(second)) / secondsPerDay))
  const fraction = nanos === 0 ? '' : `.${pad(nanos, 9).replace(/0+$/, '')}`
  const clock = [Math.floor(second / 3600), Math.floor(second / 60) % 60, second % 60]
    .map((part) => pad(part, 2))
    .join(':')
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}T${clock}${fraction}Z`
}

/**
 * Returns the time of an RFC 3339 text with any offset. Throws `TimeSyntaxError` with Go's text.
 */
export function parseTime(text: string): Time {
  const scan = { text, layout: '2006-01-02T15:04:05Z07:00', at: 0 }
  const date = scanDate(scan)
  literal(scan, 'T')
  const hour = field(scan, { name: '15', pattern: /\d{1,2}/y, most: 23, word: 'hour' })
  literal(scan, ':')
  const minute = field(scan, { name: '04', pattern: /\d{2}/y, most: 59, word: 'minute' })
  literal(scan, ':')
  const second = field(scan, { name: '05', pattern: /\d{2}/y, most: 59, word: 'second' })
  const fraction = take(scan, /[.,]\d+/y) ?? '.'
  const offset = offsetSeconds(scan)
  const days = finish(scan, date)
  return {
    seconds: BigInt(days) * secondsPerDay + BigInt(hour * 3600 + minute * 60 + second - offset),
    nanos: Number(fraction.slice(1, 10).padEnd(9, '0')),
  }
}

/** Returns midnight UTC of a `2006-01-02` text. Throws `TimeSyntaxError` with Go's text. */
export function parseDate(text: string): Time {
  const scan = { text, layout: '2006-01-02', at: 0 }
  const date = scanDate(scan)
  return { seconds: BigInt(finish(scan, date)) * secondsPerDay, nanos: 0 }
}

type Civil = { readonly year: number; readonly month: number; readonly day: number }
type Scan = { readonly text: string; readonly layout: string; at: number }

function scanDate(scan: Scan): Civil {
  const year = field(scan, { name: '2006', pattern: /\d{4}/y, most: 9999, word: 'year' })
  literal(scan, '-')
  const month = field(scan, { name: '01', pattern: /\d{2}/y, least: 1, most: 12, word: 'month' })
  literal(scan, '-')
  const day = field(scan, { name: '02', pattern: /\d{2}/y, most: 99, word: 'day' })
  return { year, month, day }
}

type Field = {
  readonly name: string
  readonly pattern: RegExp
  readonly least?: number
  readonly most: number
  readonly word: string
}

function field(scan: Scan, { name, pattern, least = 0, most, word }: Field): number {
  const digits = take(scan, pattern)
  if (digits === undefined) throw cannotParse(scan, name)
  const value = Number(digits)
  if (value < least || value > most) throw outOfRange(scan, word)
  return value
}

function offsetSeconds(scan: Scan): number {
  const zone = take(scan, /Z|[+-]\d{2}:\d{2}/y)
  if (zone === undefined) throw cannotParse(scan, 'Z07:00')
  if (zone === 'Z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(4))
  if (hours > 24) throw outOfRange(scan, 'time zone offset hour')
  if (minutes > 60) throw outOfRange(scan, 'time zone offset minute')
  return (zone.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60)
}

// As in Go, the day's range is checked last, so leftover text is reported first.
function finish(scan: Scan, { year, month, day }: Civil): number {
  if (scan.at < scan.text.length) {
    throw new TimeSyntaxError(`parsing time ${goQuote(scan.text)}: extra text: ${goQuote(scan.text.slice(scan.at))}`)
  }
  const days = daysOf({ year, month, day })
  const back = civilOf(days)
  if (back.month !== month || back.day !== day) throw outOfRange(scan, 'day')
  return days
}

function literal(scan: Scan, character: string): void {
  if (scan.text[scan.at] !== character) throw cannotParse(scan, character)
  scan.at += 1
}

function take(scan: Scan, pattern: RegExp): string | undefined {
  pattern.lastIndex = scan.at
  const match = pattern.exec(scan.text)?.[0]
  if (match !== undefined) scan.at += match.length
  return match
}

function cannotParse({ text, layout, at }: Scan, element: string): TimeSyntaxError {
  return new TimeSyntaxError(
    `parsing time ${goQuote(text)} as ${goQuote(layout)}: ` +
      `cannot parse ${goQuote(text.slice(at))} as ${goQuote(element)}`,
  )
}

function outOfRange({ text }: Scan, word: string): TimeSyntaxError {
  return new TimeSyntaxError(`parsing time ${goQuote(text)}: ${word} out of range`)
}

// Days since 1970 in the proleptic Gregorian calendar. Years start in March, which puts the leap
// day at the end of the year.
function daysOf({ year, month, day }: Civil): number {
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

function civilOf(days: number): Civil {
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
  const day = dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day }
}

function pad(value: number, width: number): string {
  return value.toString().padStart(width, '0')
}

/** An invalid time; `message` is the error text of Go's time package. */
export class TimeSyntaxError extends SimError {
  constructor(text: string) {
    super('BAD_TIME', text, { hint: 'Write times as 2025-01-01T00:00:00Z.' })
  }
}

/** Returns a time in the form that Go prints. */
export function goTime(time: Time): string {
  return formatTime(time).replace('T', ' ').replace('Z', ' +0000 UTC')
}
