/** Returns the middle one of some figures (of an even number: the higher of the middle two), or NaN without any. */
export function median(figures: readonly number[]): number {
  return figures.toSorted((one, other) => one - other)[figures.length >> 1] ?? Number.NaN
}
