/** The smallest and the largest number of each of Go's integer types. */
export const goRanges = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint32: [0n, 2n ** 32n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
} as const

export type IntegerKind = keyof typeof goRanges
