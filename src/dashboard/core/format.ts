/** Formats numbers and times for people. */
const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

/** Returns a number with grouped thousands and at most two decimals. */
export function number(value: number | bigint): string {
  return grouped.format(value)
}

/**
 * Returns an amount in whole units with at most six decimals; `decimals` is 18 by default. Smaller
 * amounts other than zero are `<0.000001`.
 */
export function units(amount: string, decimals = 18): string {
  const isNegative = amount.startsWith('-')
  const digits = BigInt(isNegative ? amount.slice(1) : amount)
    .toString()
    .padStart(decimals + 1, '0')
  const front = whole.format(BigInt(digits.slice(0, digits.length - decimals)))
  const isTiny = decimals > 6 && BigInt(digits) < 10n ** BigInt(decimals - 6) && BigInt(digits) > 0n
  if (isTiny) return isNegative ? '>−0.000001' : '<0.000001'
  const rest = decimals === 0 ? '' : digits.slice(-decimals).slice(0, 6).replace(/0+$/, '')
  return `${isNegative ? '−' : ''}${rest === '' ? front : `${front}.${rest}`}`
}

/** Returns wei as gwei; small amounts keep two significant digits. */
export function gwei(wei: string): string {
  return small(Number(BigInt(wei)) / 1e9)
}

/** Returns a number with at most two decimals, or two significant digits below 0.1. */
export function small(value: number): string {
  return value > 0 && value < 0.1 ? value.toLocaleString('en', { maximumSignificantDigits: 2 }) : grouped.format(value)
}

/** Returns the date and time in UTC, as in block headers. */
export function moment(iso: string | null): string {
  if (iso === null) return '–'
  return iso
    .replace('T', ' ')
    .replace(/(\.\d{3})\d*Z$/, '$1')
    .replace(/Z$/, '')
}

/** Returns a duration in the largest unit that fits. */
export function duration(ms: number | null): string {
  if (ms === null) return '–'
  if (ms < 10) return `${ms.toFixed(1)} ms`
  if (ms < 10_000) return `${Math.round(ms)} ms`
  if (ms < 120_000) return `${(ms / 1000).toFixed(1)} s`
  const minutes = Math.floor(ms / 60_000)
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Returns a fraction as a percentage. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)}%`
}

/** Returns a hex quantity of Ethereum JSON-RPC in decimal digits. */
export function decimal(hex: string | undefined): string {
  return hex === undefined ? '0' : String(BigInt(hex))
}

/** Returns a whole number, decimal or hex, as a quantity of Ethereum JSON-RPC; undefined for other text. */
export function quantity(text: string): string | undefined {
  return /^(?:\d+|0x[\da-f]+)$/i.test(text) ? `0x${BigInt(text).toString(16)}` : undefined
}

/** Returns a count with its noun, such as "1 block" or "2 blocks". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`
}
