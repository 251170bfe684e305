/** Reads numbers as Go's strconv does, with its error texts. */
import { goRanges, type IntegerKind } from '../../codec/goIntegers.ts'

/**
 * Returns the number in a text, or Go's error. With `anyBase`, `0x1f`, `017`, `0b1` and underscores
 * are accepted (base 0 of strconv); otherwise only decimal digits.
 */
export function goInteger(text: string, kind: IntegerKind, { anyBase = false } = {}): bigint | string {
  const isSigned = kind.startsWith('int')
  const complaint = (why: string) =>
    `strconv.${isSigned ? 'ParseInt' : 'ParseUint'}: parsing ${JSON.stringify(text)}: ${why}`
  const [, sign = '', digits = ''] = (isSigned ? /^([+-]?)(.*)$/s : /^()(.*)$/s).exec(text) ?? []
  const size = anyBase ? sizeInAnyBase(digits) : decimal(digits)
  if (size === undefined) return complaint('invalid syntax')
  const value = sign === '-' ? -size : size
  const [least, most] = goRanges[kind]
  return value < least || value > most ? complaint('value out of range') : value
}

function decimal(digits: string): bigint | undefined {
  return /^\d+$/.test(digits) ? BigInt(digits) : undefined
}

function sizeInAnyBase(digits: string): bigint | undefined {
  const plain = /^(?:0[xX](?:_?[0-9a-fA-F])+|0[bB](?:_?[01])+|0[oO]?(?:_?[0-7])*|[1-9](?:_?\d)*)$/
  if (!plain.test(digits)) return undefined
  const bare = digits.replaceAll('_', '').toLowerCase()
  return BigInt(/^0\d/.test(bare) ? `0o${bare.slice(1)}` : bare)
}
