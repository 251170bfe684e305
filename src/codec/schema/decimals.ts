/** Decimals with 18 places: on the wire their digits without the point (math.LegacyDec). */

/** Returns the digits of 10^-18 with the point: `5` is `0.000000000000000005`, nothing is 0. */
export function pointed(digits: string): string {
  const isNegative = digits.startsWith('-')
  const padded = digits.slice(isNegative ? 1 : 0).padStart(19, '0')
  return `${isNegative ? '-' : ''}${padded.slice(0, -18)}.${padded.slice(-18)}`
}

/** Returns the digits of 10^-18 that a decimal spells; undefined for what is none. */
export function unpointed(text: string): string | undefined {
  const [, sign, whole, fraction = ''] = /^(-?)(\d{1,60})(?:\.(\d{1,18}))?$/.exec(text) ?? []
  if (whole === undefined) return undefined
  return `${sign}${BigInt(`${whole}${fraction.padEnd(18, '0')}`)}`
}
