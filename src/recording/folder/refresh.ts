/** Selects the calls of a recording to request again and merges their answers (`mocks.md` §4.7). */
import { keyParts } from '../playback/callKey.ts'
import { callHas } from '../playback/callTraits.ts'
import { withLearned } from '../playback/learned.ts'
import type { Library } from '../playback/library.ts'

/** A filter of calls to request again: by method, and by the heights that they name. */
export type Again = {
  readonly only: readonly string[]
  /** The first and the last height. Without it, all calls with a constant answer are selected. */
  readonly heights: readonly [number, number] | undefined
}

const ofHead = /"(?:latest|pending|safe|finalized)"/

/**
 * Returns the calls to request again, sorted. Calls about the head are left out: they have many
 * answers, from past heights, and need a new recording.
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

/** Returns the heights that a call names. */
function heightsOf(key: string): readonly number[] {
  const { side, params } = keyParts(key)
  const pattern = side === 'eth' ? /"(0x[0-9a-f]{1,13})"/g : /"(?:x-cosmos-block-)?height":"(\d+)"/g
  return [...params.matchAll(pattern)].map(([, height]) => Number(height))
}

/**
 * Returns the recording with the answers of `fresh` replacing the old ones, and with its new calls.
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
