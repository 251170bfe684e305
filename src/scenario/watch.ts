/** The progress of a step's or rule's trigger. */

/** The count of each counter of the plan, by key. */
export type Tallies = Readonly<Record<string, number>>

/**
 * The watch of a trigger. `since` and `base` are the time and tallies when the wait began. `fired`
 * is the number of firings. `block` is the last block handled by `eachBlock`.
 */
export type Watch = {
  readonly since: Moment
  readonly base: Tallies
  readonly fired: number
  readonly block?: bigint
}

/** The tallies and the time at the beginning of a step. */
export type Mark = { readonly tallies: Tallies; readonly at: Moment }

export type Moment = { readonly timeMs: bigint; readonly height: bigint }

/** Returns how often a counter has counted since the base tallies. */
export function countSince(tallies: Tallies, base: Tallies, key: string): number {
  return (tallies[key] ?? 0) - (base[key] ?? 0)
}
