/**
 * Which calls of a recording are asked again, and what becomes of their answers (`mocks.md` §4.7).
 */
import { keyParts } from '../playback/callKey.ts'
import { callHas } from '../playback/callTraits.ts'
import { withLearned } from '../playback/learned.ts'
import type { Library } from '../playback/library.ts'

/** What is asked again: calls of methods, calls that name a height in a range. */
export type Again = {
  readonly only: readonly string[]
  /** The first and the last height; without it, any call that is the same at every moment. */
  readonly heights: readonly [number, number] | undefined
}

const ofHead = /"(?:latest|pending|safe|finalized)"/

/**
 * Returns the calls to ask again, in order. What depends on the head has many answers, of heights
 * that have gone: that is recorded anew, not updated.
 */
export function callsAgain({ answers }: Library, { only, heights }: Again): readonly string[] {
  return [...answers.keys()]
    .filter((key) => {
      const { method } = keyParts(key)
      if (callHas(key, 'submits') || ofHead.test(key) || (only.length > 0 && !only.includes(method))) {
        return false
      }
      const named = heightsOf(key)
      if (heights !== undefined) {
        return named.some((height) => height >= heights[0] && height <= heights[1])
      }
      return named.length > 0 || /"0x[0-9a-f]{64}"/.test(key)
    })
    .toSorted()
}

/** Heights that a call names. */
function heightsOf(key: string): readonly number[] {
  const { side, params } = keyParts(key)
  const pattern = side === 'eth' ? /"(0x[0-9a-f]{1,13})"/g : /"(?:x-cosmos-block-)?height":"(\d+)"/g
  return [...params.matchAll(pattern)].map(([, height]) => Number(height))
}

/**
 * Returns the recording with new answers to calls in place of the old ones, and calls that are
 * new.
 */
export function updated(library: Library, fresh: Library): Library {
  const both = withLearned(library, fresh)
  const replaced = (key: string) => {
    const [first] = library.answers.get(key) ?? []
    const [answer] = fresh.answers.get(key) ?? []
    if (answer === undefined) return both.answers.get(key) ?? []
    return [{ ...answer, since: first?.since ?? -Infinity }]
  }
  return { ...both, answers: new Map([...both.answers.keys()].map((key) => [key, replaced(key)])) }
}
