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

/** Returns a decimal in units of 10^-18, or Go's error text for an invalid one (LegacyNewDecFromStr). */
export function unpointed(spelled: string): bigint | string {
  const unsigned = spelled.replace(/^-/, '')
  if (unsigned === '') return 'decimal string cannot be empty'
  const [whole = '', fraction, ...others] = unsigned.split('.')
  if (others.length > 0) return 'invalid decimal string'
  if (fraction === '' || (fraction !== undefined && whole === '')) return 'invalid decimal length'
  const left = 18 - (fraction?.length ?? 0)
  if (left < 0) return `value '${unsigned}' exceeds max precision by ${left} decimal places: max precision 18`
  const digits = `${whole}${fraction ?? ''}${'0'.repeat(left)}`
  if (!/^[+-]?\d+$/.test(digits)) return `failed to set decimal string with base 10: ${digits}`
  const value = BigInt(digits)
  if (value > most || value < -most) return 'out of range: invalid decimal string'
  return spelled === unsigned ? value : -value
}

/** The most that a decimal holds, in units of 10^-18. */
const most = 2n ** 256n * 10n ** 18n - 1n
