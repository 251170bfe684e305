/** Decimals with 18 places, stored as integers in units of 10^-18 (cosmossdk.io/math LegacyDec). */

/** 1.0 in units of 10^-18. */
export const one = 10n ** 18n

/** Returns a decimal as text, such as `0.500000000000000000`. */
export function decimalText(value: bigint): string {
  const digits = (value < 0n ? -value : value).toString().padStart(19, '0')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -18)}.${digits.slice(-18)}`
}

/** Returns the decimal of a text such as `0.5` or `12`; undefined for other texts. */
export function decimalOf(text: string): bigint | undefined {
  const match = /^(-?)(\d+)(?:\.(\d{1,18}))?$/.exec(text)
  if (match === null) return undefined
  const value = BigInt(match[2] ?? '0') * one + BigInt((match[3] ?? '').padEnd(18, '0'))
  return match[1] === '-' ? -value : value
}

/** Returns a·b, rounded half to even in the last place, as LegacyDec.Mul does. */
export function multiply(a: bigint, b: bigint): bigint {
  return roundedQuotient(a * b, one)
}

/** Returns a·b, truncated. */
export function multiplyTruncate(a: bigint, b: bigint): bigint {
  return (a * b) / one
}

/**
 * Returns a/b, rounded half to even in the last place. As in LegacyDec.Quo, it rounds a quotient
 * that was truncated after 18 more places.
 */
export function divide(a: bigint, b: bigint): bigint {
  return roundedQuotient((a * one * one) / b, one)
}

/** Returns a/b, truncated. */
export function divideTruncate(a: bigint, b: bigint): bigint {
  return (a * one) / b
}

/** Returns the integer part, in whole units. */
export function truncated(value: bigint): bigint {
  return value / one
}

/** Returns the nearest integer, in whole units. Rounds half to even, as LegacyDec.RoundInt does. */
export function rounded(value: bigint): bigint {
  return roundedQuotient(value, one)
}

function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor
  const rest = dividend % divisor
  const twice = (rest < 0n ? -rest : rest) * 2n
  const size = divisor < 0n ? -divisor : divisor
  const away = dividend < 0n === divisor < 0n ? 1n : -1n
  if (twice < size || (twice === size && quotient % 2n === 0n)) return quotient
  return quotient + away
}
