/** Answers calls from a recording, including answers derived from recorded ones. */
import type { Answer } from '../../node/answer.ts'
import { isAboutHead } from './callTraits.ts'
import { createLookup } from './derive.ts'
import { heldAbove } from './heads.ts'
import type { Answers } from './library.ts'
import { createSearch } from './searches.ts'
import { answerAt } from './tipAnswers.ts'

/** The moment of a call, the head at that moment, and the head that the client has seen. */
export type Moment = { readonly at: number; readonly head: number; readonly given: number }

export type Knowing = {
  /** Returns whether a call has an answer at a head height. */
  readonly has: (key: string, head: number) => boolean
  /** Returns the answer to a call; undefined if there is none, or none yet. */
  readonly answer: (key: string, moment: Moment) => Answer | undefined
}

/** Returns a source of answers over recorded ones. It reads blocks on first use. */
export function createKnowing(answers: Answers): Knowing {
  const lookup = createLookup(answers)
  const search = createSearch(lookup)
  return {
    has: (key, head) =>
      lookup(key) !== undefined ||
      search(key, head) !== undefined ||
      (isAboutHead(key) && answerAt(key, head, { held: [], lookup }) !== undefined),
    answer: (key, moment) => {
      const held = lookup(key)
      const found = held === undefined ? search(key, moment.head) : undefined
      return found ?? heldAbove({ key, held: held ?? [], lookup, ...moment })
    },
  }
}
