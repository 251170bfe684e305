/** Ensures that no answer is older than a head that a client has seen (`mocks.md` §4.1). */
import { quantityOf } from '../../codec/hex.ts'
import type { Answer } from '../../node/answer.ts'
import { isCallTo } from './callKey.ts'
import { asksForBlock, isAboutHead } from './callTraits.ts'
import { atHead, countUpTo, headIn, type HeldAnswer } from './library.ts'
import { answerAt, canonicalCommit, type Lookup } from './tipAnswers.ts'

/** The heads that clients have seen. */
export type Guard = {
  /** Returns the minimum head for answers to a client. */
  readonly headOf: (connection: number | undefined) => number
  readonly raise: (head: number, connection: number | undefined) => void
  /** Forgets a client whose connection has closed. */
  readonly drop: (connection: number) => void
}

/**
 * Returns a guard before any answers. Each WebSocket counts as one client. HTTP requests do not
 * identify their client, so they are held to the highest head of all clients.
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
    drop: (connection) => {
      heads.delete(connection)
    },
  }
}

/** Returns the head that an answer reveals; a block requested by height reveals none. */
export function headGiven(key: string, answer: { readonly text: string }): number {
  return asksForBlock(key) ? 0 : headIn(key, answer)
}

/** Returns the answer valid at a moment. */
export function heldAt(held: readonly HeldAnswer[], at: number): Answer | undefined {
  return held[countUpTo(held, at, ({ since }) => since) - 1]?.answer
}

type Asking = {
  readonly key: string
  readonly held: readonly HeldAnswer[]
  readonly lookup: Lookup
  readonly at: number
  /** The head of the recording at that moment. */
  readonly head: number
  /** The head that the client has seen, which may be higher. */
  readonly given: number
}

/**
 * Returns the answer valid at a moment. A call about the head is answered for the current head, or
 * for the client's if higher, where the recording knows it. Otherwise the nearest answer that is
 * not below the client's head is returned.
 */
export function heldAbove({ key, held, lookup, at, head, given }: Asking): Answer | undefined {
  const answer = heldAt(held, at)
  const tip = Math.max(head, given)
  if (!isAboutHead(key)) {
    return answer?.ok === true ? (canonicalCommit(key, answer, { tip, lookup }) ?? atHead(key, answer, tip)) : answer
  }
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
