/** Exact comparison of decimal numbers given as texts. */

/**
 * A number: its digits without zeros at either end, and how many of them are before the point. Digits stay
 * text, because a query may have a million of them.
 */
export type Decimal = { readonly sign: -1 | 0 | 1; readonly digits: string; readonly exponent: number }

/** Returns whether the node's indexer parses a text as a number (Go `big.ParseFloat`, base 10). */
export function isDecimal(text: string): boolean {
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)
}

/** Returns the number that a text stands for (`isDecimal`). */
export function decimalOf(text: string): Decimal {
  const [mantissa = '', power = '0'] = text.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace(/^[+-]/, '').split('.')
  const all = whole + fraction
  const from = all.search(/[1-9]/)
  if (from < 0) return { sign: 0, digits: '', exponent: 0 }
  let to = all.length
  while (all[to - 1] === '0') to -= 1
  const sign = mantissa.startsWith('-') ? -1 : 1
  return { sign, digits: all.slice(from, to), exponent: whole.length - from + Number(power) }
}

/** Returns the sign of the exact difference of two numbers. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  if (a.sign !== b.sign) return a.sign < b.sign ? -1 : 1
  const [left, right] = a.exponent === b.exponent ? [a.digits, b.digits] : [a.exponent, b.exponent]
  return left === right ? 0 : left < right ? -a.sign : a.sign
}
