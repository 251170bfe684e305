/**
 * Quantities of scenario files: texts with units, read exactly and without floats (`mocks.md`
 * §3.1).
 */
import { durationMs as settingMs } from '../settings/duration.ts'

/**
 * Returns the milliseconds of `'1500ms'`, `'1.5s'`, `'14d'` or `'1d2h30m'`; undefined for anything
 * else. Units are `ms`, `s`, `m`, `h` and `d`.
 */
export function durationMs(text: string): bigint | undefined {
  const isOne = /^(?:\d+(?:\.\d{1,3})?\s*(?:ms|[smhd])(?:\s+(?=\d)|(?=\d|$)))+$/.test(text)
  return isOne ? settingMs(text.replace(/\s+/g, '')) : undefined
}

/** Returns the number in `'3 blocks'` or `'1 block'`; undefined for anything else. */
export function blockCount(text: string): bigint | undefined {
  const match = /^(\d+)\s*blocks?$/.exec(text)
  return match === null ? undefined : BigInt(match[1] ?? '')
}

const decimalsPerUnit: ReadonlyMap<string, number> = new Map([
  ['', 0],
  ['wei', 0],
  ['gwei', 9],
  ['evm', 18],
  ['ether', 18],
  ['atest', 0],
  ['test', 18],
])

/**
 * Returns the amount in smallest units for `'1.5 evm'`, `'3 gwei'`, `'1000atest'` or `'250'`;
 * undefined for anything else.
 */
export function amount(text: string): bigint | undefined {
  return amountIn(text, (unit) => decimalsPerUnit.get(unit))
}

/**
 * Returns the amount in smallest units for a number and a unit, whose decimals `decimalsOf` returns; undefined for
 * another text, an unknown unit, and a fraction that is too long.
 */
export function amountIn(text: string, decimalsOf: (unit: string) => number | undefined): bigint | undefined {
  const [, whole, fraction = '', unit = ''] = /^(\d+)(?:\.(\d+))?\s*([a-z]*|[A-Z][A-Z0-9_-]*)$/.exec(text) ?? []
  const decimals = whole === undefined ? undefined : decimalsOf(unit)
  if (decimals === undefined || fraction.length > decimals) return undefined
  return BigInt(`${whole}${fraction.padEnd(decimals, '0')}`)
}

/**
 * Returns the two integers of a ratio such as `'1/5'`. Returns undefined for anything else, also if
 * the first is greater.
 */
export function ratio(text: string): { numerator: bigint; denominator: bigint } | undefined {
  const match = /^(\d+)\/([1-9]\d*)$/.exec(text)
  if (match === null) return undefined
  const [numerator, denominator] = [BigInt(match[1] ?? ''), BigInt(match[2] ?? '')]
  return numerator > denominator ? undefined : { numerator, denominator }
}
