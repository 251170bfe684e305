/** No answer is from below a head that somebody was already given (`mocks.md` §4.1). */
import type { Answer } from '../../node/answer.ts'
import { atHead, countUpTo, headIn, ofTip, type Answers, type Held } from './library.ts'

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
    headOf: (connection) => (connection === undefined ? most : heads.get(connection) ?? 0),
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
  return pinned.test(key) ? 0 : headIn(key, answer)
}

const pinned = /^comet (?:block|header|commit|block_results|block_search|blockchain) \{./

/** Returns what is held at a moment. */
export function heldAt(held: readonly Held[], at: number): Answer | undefined {
  return held[countUpTo(held, at, ({ since }) => since) - 1]?.answer
}

type Asked = {
  readonly key: string
  readonly held: readonly Held[]
  readonly at: number
  readonly head: number
}

/**
 * Returns what is held at a moment, or, where that is below the head, the first recorded answer
 * that is not: a later one, or the one to the same question about that height.
 */
export function heldAbove(answers: Answers, { key, held, at, head }: Asked): Answer | undefined {
  const answer = heldAt(held, at)
  if (answer?.ok !== true) return answer
  if (!ofTip.test(key) || headIn(key, answer) >= head) return atHead(key, answer, head)
  if (key.startsWith('eth eth_blockNumber ')) return { ok: true, text: `"0x${head.toString(16)}"` }
  const later = held.find(
    ({ since, answer: one }) => since > at && one.ok === true && headIn(key, one) >= head
  )?.answer
  const pinned = key.replace('"latest"', `"0x${head.toString(16)}"`).replace(
    ' {}', ` {"height":"${head}"}`
  )
  return later ?? answers.get(pinned)?.at(-1)?.answer ?? answer
}
