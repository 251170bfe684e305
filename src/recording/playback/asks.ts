/** Which calls of a recording tell how far a client is. */

import { keyParts } from './callKey.ts'
import { cometHeights, isAboutHead, isAboutListening } from './callTraits.ts'
import type { Ask } from './library.ts'

/** Quantities, hashes and searches depend on what a client has found before. */
const depends = /"0x[0-9a-f]{1,16}"|"0x[0-9a-f]{64}"|"(?:hash|query)":|"0x[0-9a-f]{64,}"\]$/

/**
 * Returns whether a client asks this however it is paced: not a height near the head, nor what it
 * only learned on the way, nor what is polled.
 */
export function isSteady(key: string, head: number): boolean {
  if (isAboutListening(key) || isAboutHead(key) || depends.test(keyParts(key).params)) return false
  return cometHeights(key).every((height) => height <= Math.max(3, head - 100))
}

/** How many calls of a connection show that its client is there. */
export const arrivals = 4

/** A call that was made more often than this was polled: how often depends on the speed. */
const mostRepeats = 4

/** A call while it is recorded. */
export type NotedAsk = Ask & { readonly isArrival: boolean }

/**
 * Returns the calls that a playback waits for, in order of time: those made only a few times, each
 * time, and of those polled the first when it is among the first of its connection.
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
