/** Substitutes the nearest recorded answer for a missing one, in lenient mode (`mocks.md` §4.7). */
import type { Answer } from '../../node/answer.ts'
import { parseCanonicalJson } from '../../data/parseCanonicalJson.ts'
import { keyParts } from './callKey.ts'
import { heldAt } from './heads.ts'
import type { Answers } from './library.ts'

/** A substituted answer, and the call that it was recorded for. */
export type Degraded = { readonly answer: Answer; readonly key: string }

/**
 * Returns the answer to the same call at another height: the latest one up to the cursor, else the
 * first one recorded.
 */
export function nearestAnswer(answers: Answers, key: string, at: number): Degraded | undefined {
  const asked = withoutHeight(key)
  if (asked === undefined) return undefined
  let best: { since: number; found: Degraded } | undefined
  for (const other of answers.keys()) {
    if (withoutHeight(other) !== asked) continue
    const held = answers.get(other) ?? []
    const answer = heldAt(held, at) ?? held[0]?.answer
    const since = held.findLast((one) => one.since <= at)?.since ?? -Infinity
    if (answer?.ok !== true || (best !== undefined && best.since >= since)) continue
    best = { since, found: { answer, key: other } }
  }
  return best?.found
}

/** Returns a call without its block; undefined if its parameters cannot name one. */
function withoutHeight(key: string): string | undefined {
  const { side, method, params } = keyParts(key)
  const value = parseCanonicalJson(params)
  if (side === 'comet') {
    if (typeof value !== 'object' || value === null) return undefined
    const rest = Object.entries(value).filter(([name]) => name !== 'height')
    return `${side} ${method} ${JSON.stringify(rest)}`
  }
  if (!Array.isArray(value)) return undefined
  const isBlock = (one: unknown) =>
    typeof one === 'string' && /^(?:latest|pending|earliest|safe|finalized|0x[0-9a-f]{1,16})$/.test(one)
  const rest = value.map((one: unknown, index) => (index > 0 && isBlock(one) ? '*' : one))
  return `${side} ${method} ${JSON.stringify(rest)}`
}
