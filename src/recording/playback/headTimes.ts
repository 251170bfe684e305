/**
 * Estimates when each block of a recording was made: between the last answer without it and the
 * first answer with it.
 */
import { countUpTo, type Head } from './library.ts'

/**
 * An answer that knew a height: requested at `from` and answered at `at`, in ms of the recording.
 */
export type HeightSeen = { readonly height: number; readonly from: number; readonly at: number }

/** A response that took longer waited at the node, so its request time is no evidence. */
const promptMs = 50

/** How long before the first answer with a block the block is placed, in ms, where possible. */
const slackMs = 30

/** Returns the time in ms by which the content of an answer was true. */
export function trueBy({ from, at }: Pick<HeightSeen, 'from' | 'at'>): number {
  return Math.max(from, at - promptMs)
}

/**
 * Returns a moment between `lower` and `upper`, close to `upper`. A client that asks slightly
 * earlier or later than in the recording still gets the same answer.
 */
export function momentBetween(lower: number, upper: number): number {
  return upper - Math.min(slackMs, Math.max(0, (upper - lower) / 2))
}

/**
 * Returns heads with the times of their blocks, ascending. `known` lists heads as they became
 * known; `below` lists answers that still had a lower head. A block is never placed before its
 * parent, nor before one of its transactions was sent (`notBefore`, by height).
 */
export function headTimes(
  known: readonly HeightSeen[],
  below: readonly HeightSeen[],
  notBefore: ReadonlyMap<number, number>,
): readonly Head[] {
  const refuted = below.toSorted((a, b) => a.height - b.height)
  let previous = -Infinity
  let [next, lastBelow] = [0, -Infinity]
  return known.map((one) => {
    for (; (refuted[next]?.height ?? Infinity) < one.height; next++) {
      lastBelow = Math.max(lastBelow, refuted[next]?.from ?? 0)
    }
    const lower = Math.max(previous, lastBelow, notBefore.get(one.height) ?? -Infinity)
    const upper = Math.max(trueBy(one), previous)
    previous = Math.max(tenths(momentBetween(lower, upper)), previous)
    return { height: one.height, at: previous }
  })
}

/** Returns the height of the head at a moment, or 0 before the first. */
export function heightAt(heads: readonly Head[], at: number): number {
  return heads[countUpTo(heads, at, (head) => head.at) - 1]?.height ?? 0
}

/** Returns when a height, or the next known height above it, was made. */
export function madeAt(heads: readonly Head[], height: number): number | undefined {
  return heads[countUpTo(heads, height - 1, (head) => head.height)]?.at
}

/** Rounds a time to tenths of a millisecond, so that sums and differences stay exact. */
export function tenths(ms: number): number {
  return Math.round(ms * 10) / 10
}
