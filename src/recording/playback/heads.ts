/** No answer is from below a head that somebody was already given (`mocks.md` §4.1). */
import { quantityOf } from '../../codec/hex.ts'
import type { Answer } from '../../node/answer.ts'
import { isCallTo } from './callKey.ts'
import { asksForBlock, isAboutHead } from './callTraits.ts'
import { atHead, countUpTo, headIn, type Held } from './library.ts'
import { answerAt, type Lookup } from './tipAnswers.ts'

/** The heads that clients were given. */
export type Guard = {
  /** Returns the head below which a client may not be answered. */
  readonly headOf: (connection: number | undefined) => number
  readonly raise: (head: number, connection: number | undefined) => void
}

/**
 * Returns a guard before anything was given. A WebSocket is a client; requests over HTTP tell
 * nothing of their client, which may be that of any WebSocket, and are held to all of them.
 */
export function createGuard(): Guard {
  const heads = new Map<number, number>()
  let most = 0
  return {
    headOf: (connection) => (connection === undefined ? most : (heads.get(connection) ?? 0)),
    raise: (head, connection) => {
      most = Math.max(most, head)
      if (connection !== undefined) {
        heads.set(connection, Math.max(heads.get(connection) ?? 0, head))
      }
    },
  }
}

/** A block that a client asked for by its height says nothing of the head. */
export function headGiven(key: string, answer: { readonly text: string }): number {
  return asksForBlock(key) ? 0 : headIn(key, answer)
}

/** Returns what is held at a moment. */
export function heldAt(held: readonly Held[], at: number): Answer | undefined {
  return held[countUpTo(held, at, ({ since }) => since) - 1]?.answer
}

type Asking = {
  readonly key: string
  readonly held: readonly Held[]
  readonly lookup: Lookup
  readonly at: number
  /** The head of the recording at that moment. */
  readonly head: number
  /** The head that a client was given, which may be above. */
  readonly given: number
}

/**
 * Returns what is held at a moment. A call about the head is answered for the head of that moment,
 * or for the one that the client was given, if the recording knows it; else with the nearest answer
 * that is not below.
 */
export function heldAbove({ key, held, lookup, at, head, given }: Asking): Answer | undefined {
  const answer = heldAt(held, at)
  const tip = Math.max(head, given)
  if (!isAboutHead(key)) return answer?.ok === true ? atHead(key, answer, tip) : answer
  const known = answerAt(key, tip, { held, lookup })
  if (known !== undefined || answer?.ok !== true || headIn(key, answer) >= given) {
    return known ?? answer
  }
  if (isCallTo('eth', 'eth_blockNumber', key)) {
    return { ok: true, text: JSON.stringify(quantityOf(given)) }
  }
  return (
    held.find(({ since, answer: one }) => since > at && one.ok === true && headIn(key, one) >= given)?.answer ?? answer
  )
}
