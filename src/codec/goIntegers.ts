/** Go's integers: their ranges, and how they are read from texts. */

/** The smallest and the largest number of each of Go's integer types. */
export const goRanges = {
  int: [-(2n ** 63n), 2n ** 63n - 1n],
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint: [0n, 2n ** 64n - 1n],
  uint8: [0n, 2n ** 8n - 1n],
  uint32: [0n, 2n ** 32n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
} as const

export const [minInt64, maxInt64] = goRanges.int64
export const [, maxUint64] = goRanges.uint64
/** The largest word of the EVM, and the largest amount of coins. */
export const maxUint256 = 2n ** 256n - 1n

export type IntegerKind = keyof typeof goRanges

/**
 * Returns the integer of any size that a text spells as in Go's source, in decimal or with a prefix
 * such as `0x`; undefined if it spells none (math/big UnmarshalText).
 */
export function bigIntegerOf(spelled: string): bigint | undefined {
  if (spelled.length > mostCharacters) return undefined
  const [, sign = '', digits = ''] = /^([+-]?)(.*)$/s.exec(spelled) ?? []
  const size = sizeInAnyBase(digits)
  return sign === '-' && size !== undefined ? -size : size
}

const mostCharacters = 1000

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

/** Returns the number that digits spell in the base of their prefix; underscores separate digits. */
function sizeInAnyBase(digits: string): bigint | undefined {
  const plain = /^(?:0[xX](?:_?[0-9a-fA-F])+|0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|0(?:_?[0-7])*|[1-9](?:_?\d)*)$/
  if (!plain.test(digits)) return undefined
  const bare = digits.replaceAll('_', '').toLowerCase()
  return BigInt(/^0\d/.test(bare) ? `0o${bare.slice(1)}` : bare)
}
