/** All that a recording can answer: what was recorded, and what follows from it. */
import type { Answer } from '../../node/answer.ts'
import { isAboutHead } from './callTraits.ts'
import { createLookup } from './derive.ts'
import { heldAbove } from './heads.ts'
import type { Answers } from './library.ts'
import { createSearch } from './searches.ts'
import { answerAt } from './tipAnswers.ts'

/** The moment of a question, the head at that moment, and the head that a client was given. */
export type Moment = { readonly at: number; readonly head: number; readonly given: number }

export type Knowing = {
  /** Returns whether a call has an answer when the head has a height. */
  readonly has: (key: string, head: number) => boolean
  /** Returns the answer to a call; undefined for one that was never answered, or not yet. */
  readonly answer: (key: string, moment: Moment) => Answer | undefined
}

/** Returns what answers out of recorded answers; blocks are read when they are first needed. */
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
