/** Spans: durations in time or blocks, from a given moment. */
import type { Span } from '../plan/action.ts'

/** Returns whether a span that began at `since` is over. An undefined span is always over. */
export function spanIsOver(span: Span | undefined, since: Moment, now: Moment): boolean {
  if (span === undefined) return true
  const { ms, blocks } = span
  return (
    (ms !== undefined && now.timeMs >= since.timeMs + ms) ||
    (blocks !== undefined && now.height >= since.height + blocks)
  )
}

/**
 * Returns the time at which a span ends, in simulation milliseconds; undefined if it ends with a
 * block.
 */
export function spanEnd(span: Span | undefined, since: Moment): bigint | undefined {
  return span?.ms === undefined ? undefined : since.timeMs + span.ms
}

/** Returns the earliest future end of some spans, in simulation milliseconds. */
export function nextEnd(spans: readonly (Span | undefined)[], since: Moment, now: Moment): bigint | undefined {
  return spans
    .map((span) => spanEnd(span, since))
    .filter((ms) => ms !== undefined && ms > now.timeMs)
    .reduce(earlier, undefined)
}

/** Returns the earlier of two times, either of which may be undefined. */
export function earlier(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return a < b ? a : b
}

/** A span as the schemas return it. */
export type SpanFile = { readonly ms: bigint } | { readonly blocks: bigint }

/** Returns the span with both members, one of them undefined. */
export function spanOf(span: SpanFile | undefined): Span | undefined {
  if (span === undefined) return undefined
  return 'ms' in span ? { ms: span.ms, blocks: undefined } : { ms: undefined, blocks: span.blocks }
}

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
