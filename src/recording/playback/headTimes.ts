/**
 * When each block of a recording was made: between the last answer from before it and the first
 * one that knows it.
 */
import { countUpTo, type Head } from './library.ts'

/** Answers that knew a height: asked at `from` and answered at `at`, in ms of the recording. */
export type HeightSeen = { readonly height: number; readonly from: number; readonly at: number }

/** An answer that took longer waited at the node, and tells nothing of when it was asked. */
const promptMs = 50

/** How far before the first answer that knows it a block is put, in ms, where there is room. */
const slackMs = 30

/** Returns by when the fact that an answer tells was true, in ms. */
export function trueBy({ from, at }: Pick<HeightSeen, 'from' | 'at'>): number {
  return Math.max(from, at - promptMs)
}

/**
 * Returns a moment after `lower` and before `upper`, close to `upper`: neither a client that asks a
 * little earlier nor one that asks a little later than in the recording is answered differently.
 */
export function momentBetween(lower: number, upper: number): number {
  return upper - Math.min(slackMs, Math.max(0, (upper - lower) / 2))
}

/**
 * Returns heads at the moments when their blocks were made, rising; `known` are heads as they
 * became known, `below` are answers that still told of a lower head. A block is never put before
 * the one below it, nor before a transaction in it was sent (`notBefore`, by height).
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

/** Returns the height of the head at a moment, 0 before the first. */
export function heightAt(heads: readonly Head[], at: number): number {
  return heads[countUpTo(heads, at, (head) => head.at) - 1]?.height ?? 0
}

/** Returns when a height, or the first one above it that is known of, was made. */
export function madeAt(heads: readonly Head[], height: number): number | undefined {
  return heads[countUpTo(heads, height - 1, (head) => head.height)]?.at
}

/** Times stand on a grid of tenths of a millisecond: they survive being added and taken apart. */
export function tenths(ms: number): number {
  return Math.round(ms * 10) / 10
}
