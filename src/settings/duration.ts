/**
 * Durations in Go's syntax (`10s`, `1m30s`, `500ms`, `2m0s`), and with days for people (`14d`,
 * `1d2h`).
 */
import { isExpected, SimError } from '../errors.ts'

const goUnits: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
}

const ourUnits = { ...goUnits, d: 86_400_000_000_000n }

/**
 * Returns a duration in nanoseconds, parsed as on the node. Throws `InvalidDuration` with Go's text
 * (`time.ParseDuration`).
 */
export function goDurationNanos(text: string): bigint {
  return nanosOf(text, goUnits)
}

/** Returns a setting's duration in nanoseconds; days are allowed. Throws `InvalidDuration`. */
export function durationNanos(text: string): bigint {
  const known = parsed.get(text)
  if (known !== undefined) return known
  const nanos = nanosOf(text, ourUnits)
  if (parsed.size >= parsedMost) parsed.clear()
  parsed.set(text, nanos)
  return nanos
}

// The few durations of the settings are read for every call.
const parsed = new Map<string, bigint>()
const parsedMost = 100

function nanosOf(text: string, unitsNanos: Readonly<Record<string, bigint>>): bigint {
  const sign = text.startsWith('-') ? -1n : 1n
  const rest = text.replace(/^[-+]/, '')
  if (rest === '0') return 0n
  const parts = [...rest.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h|d)/g)]
  const isKnown = parts.every(([, , unit = '']) => Object.hasOwn(unitsNanos, unit))
  if (!isKnown || parts.length === 0 || parts.map(([part]) => part).join('') !== rest) throw new InvalidDuration(text)
  let total = 0n
  for (const [, amount = '0', unit = 's'] of parts) {
    const [whole = '0', fraction = ''] = amount.split('.')
    const nanos = unitsNanos[unit] ?? 0n
    total += BigInt(whole === '' ? '0' : whole) * nanos
    if (fraction !== '') total += (BigInt(fraction) * nanos) / 10n ** BigInt(fraction.length)
  }
  return sign * total
}

/** Returns a setting's duration in whole milliseconds. Throws `InvalidDuration`. */
export function durationMs(text: string): bigint {
  return durationNanos(text) / 1_000_000n
}

/** Returns whether a text is a duration that is not negative. */
export function isDuration(text: string): boolean {
  try {
    return durationNanos(text) >= 0n
  } catch (error) {
    if (!isExpected(error)) throw error
    return false
  }
}

/** The text is not a duration. */
export class InvalidDuration extends SimError {
  constructor(text: string) {
    super('INVALID_DURATION', `time: invalid duration "${text}"`, { hint: 'Write it like 1d2h, 1m30s or 500ms.' })
  }
}
