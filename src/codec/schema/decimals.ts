/** Decimals with 18 decimal places, stored as digits without the decimal point (math.LegacyDec). */

/**
 * Returns a decimal from its digits in units of 10^-18: `5` becomes `0.000000000000000005`. No
 * digits give zero.
 */
export function pointed(digits: string): string {
  const isNegative = digits.startsWith('-')
  const padded = digits.slice(isNegative ? 1 : 0).padStart(19, '0')
  return `${isNegative ? '-' : ''}${padded.slice(0, -18)}.${padded.slice(-18)}`
}

/** Returns the digits of a decimal in units of 10^-18, or undefined for an invalid decimal. */
export function unpointed(text: string): string | undefined {
  const [, sign, whole, fraction = ''] = /^(-?)(\d{1,60})(?:\.(\d{1,18}))?$/.exec(text) ?? []
  if (whole === undefined) return undefined
  return `${sign}${BigInt(`${whole}${fraction.padEnd(18, '0')}`)}`
}
