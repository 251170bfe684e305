/** How far a step or rule has come with what it waits for. */

/** How often each counter of the plan has counted, by its key. */
export type Tallies = Readonly<Record<string, number>>

/**
 * `since` and `base` are from when the waiting began; `fired` is how often it has ended, `block`
 * the last block that it has ended with where each one counts.
 */
export type Watch = {
  readonly since: Moment
  readonly base: Tallies
  readonly fired: number
  readonly block?: bigint
}

/** What was counted when a step began, and when that was. */
export type Mark = { readonly tallies: Tallies; readonly at: Moment }

export type Moment = { readonly timeMs: bigint; readonly height: bigint }

/** Returns how often a counter counted since the tallies given. */
export function countSince(tallies: Tallies, base: Tallies, key: string): number {
  return (tallies[key] ?? 0) - (base[key] ?? 0)
}
