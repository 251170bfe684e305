/** Spans: durations in time or blocks, from a given moment. */
import type { Span } from '../plan/action.ts'
import type { Moment } from './watch.ts'

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
