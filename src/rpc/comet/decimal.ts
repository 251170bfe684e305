/** Exact comparison of decimal numbers given as texts. */

/** Returns whether the node's indexer parses a text as a number (Go `big.ParseFloat`, base 10). */
export function isDecimal(text: string): boolean {
  return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)
}

/** Returns the sign of the exact difference of two decimal numbers. */
export function compareDecimals(left: string, right: string): number {
  const [a, b] = [scaled(left), scaled(right)]
  const places = Math.max(a.places, b.places)
  const difference = a.digits * 10n ** BigInt(places - a.places) - b.digits * 10n ** BigInt(places - b.places)
  return difference === 0n ? 0 : difference < 0n ? -1 : 1
}

function scaled(text: string): { digits: bigint; places: number } {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace(/^\+/, '').split('.')
  const places = fraction.length - Math.max(-4096, Math.min(4096, Number(exponent)))
  const digits = BigInt(whole + fraction)
  return places >= 0 ? { digits, places } : { digits: digits * 10n ** BigInt(-places), places: 0 }
}
