/** Checks the expectations of a step; each is checked independently. */
import { isExpected } from '../errors.ts'
import type { Expectation } from '../plan/expectation.ts'
import { type Moment, nextEnd, spanIsOver } from './span.ts'
import { type Seen, verdict } from './verdict.ts'

/**
 * The result of a check. `met` lists the indexes of expectations that have held; they need not hold
 * any longer.
 */
export type Checked = {
  readonly met: readonly number[]
  readonly failed: readonly { readonly source: string; readonly text: string }[]
  readonly isOver: boolean
  readonly wakeAtMs: bigint | undefined
}

type Before = { readonly met: readonly number[]; readonly since: Moment }

/**
 * Returns the current state of the expectations. One with a span may still become true; one without
 * must hold now.
 */
export function check(all: readonly Expectation[], { met, since }: Before, seen: Seen): Checked {
  const judged = all.map((one, index) => (met.includes(index) ? 'met' : stateOf(one, since, seen)))
  const failed = judged.flatMap((state, index) =>
    typeof state === 'object' ? [{ source: all[index]?.source ?? '', text: state.text }] : [],
  )
  const spans = all
    .filter((_, index) => judged[index] === 'open')
    .map((one) => (one.type === 'never' ? one.span : one.within))
  return {
    met: judged.flatMap((state, index) => (state === 'met' ? [index] : [])),
    failed,
    isOver: failed.length > 0 || spans.length === 0,
    wakeAtMs: nextEnd(spans, since, seen.now),
  }
}

/** Returns why an expectation does not hold. An unknown name is one of the reasons. */
function verdictText(one: Expectation, seen: Seen): string | undefined {
  try {
    return verdict(one, seen)
  } catch (error) {
    if (isExpected(error)) return error.message
    throw error
  }
}

/**
 * Returns the state of an expectation. A `never` is met when its span is over, and fails the first
 * time it holds.
 */
function stateOf(one: Expectation, since: Moment, seen: Seen): 'met' | 'open' | { readonly text: string } {
  const text = verdictText(one, seen)
  if (one.type === 'never') {
    if (text !== undefined) return { text }
    return spanIsOver(one.span, since, seen.now) ? 'met' : 'open'
  }
  if (text === undefined) return 'met'
  return spanIsOver(one.within, since, seen.now) ? { text } : 'open'
}
