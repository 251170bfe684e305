/** Selects the recorded calls that show how far a client has progressed. */

import { keyParts } from './callKey.ts'
import { cometHeights, isAboutHead, isAboutListening } from './callTraits.ts'
import type { Ask } from './library.ts'

/** Quantities, hashes and searches, which depend on what a client has found before. */
const depends = /"0x[0-9a-f]{1,16}"|"0x[0-9a-f]{64}"|"(?:hash|query)":|"0x[0-9a-f]{64,}"\]$/

/**
 * Returns whether a client makes this call at any speed. Excludes heights near the head, values
 * learned on the way, and polled calls.
 */
export function isSteady(key: string, head: number): boolean {
  if (isAboutListening(key) || isAboutHead(key) || depends.test(keyParts(key).params)) return false
  return cometHeights(key).every((height) => height <= Math.max(3, head - 100))
}

/** Number of first calls of a connection that show that its client has arrived. */
export const arrivals = 4

/** Calls made more often than this are polled; their number depends on the client's speed. */
const mostRepeats = 4

/** A call noted during recording. */
export type NotedAsk = Ask & { readonly isArrival: boolean }

/**
 * Returns the calls that a playback waits for, ordered by time. Rare calls count each time. A
 * polled call counts once, if it is among the first of its connection.
 */
export function waitedFor(noted: readonly NotedAsk[]): readonly Ask[] {
  const counts = new Map<string, number>()
  for (const { digest } of noted) counts.set(digest, (counts.get(digest) ?? 0) + 1)
  const known = new Set<string>()
  return noted
    .toSorted((a, b) => a.at - b.at)
    .filter(({ digest, isArrival }) => {
      const isFirst = !known.has(digest)
      known.add(digest)
      return (counts.get(digest) ?? 0) <= mostRepeats || (isFirst && isArrival)
    })
    .map(({ at, digest }) => ({ at, digest }))
}
