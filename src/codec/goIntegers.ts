/** The smallest and the largest number of each of Go's integer types. */
export const goRanges = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint32: [0n, 2n ** 32n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
} as const

export type IntegerKind = keyof typeof goRanges

/**
 * Returns the integer of any size that a text spells as in Go's source, in decimal or with a prefix
 * such as `0x`; undefined if it spells none (math/big UnmarshalText).
 */
export function bigIntegerOf(spelled: string): bigint | undefined {
  const [, sign, octal, number] = goInteger.exec(spelled) ?? []
  if (number === undefined || spelled.length > mostCharacters) return undefined
  const value = BigInt(`${octal === undefined ? '' : '0o'}${number.replaceAll('_', '')}`)
  return sign === '-' ? -value : value
}

const goInteger =
  /^([+-])?(?:(0)(?=_?[0-7])_?)?(0x(?:_?[\da-f])+|0b(?:_?[01])+|0o(?:_?[0-7])+|(?<=0_?)[0-7](?:_?[0-7])*|(?:0|[1-9](?:_?\d)*))$/i
const mostCharacters = 1000
