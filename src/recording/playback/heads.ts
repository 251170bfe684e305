/** No answer is from below a head that somebody was already given (`mocks.md` §4.1). */
import type { Answer } from '../../node/answer.ts'
import { countUpTo, heightIn, type Answers, type Held } from './library.ts'

/** Calls that mean the head, by the method and what their parameters say instead of a height. */
const ofTip = /^(?:eth eth_blockNumber \[|eth eth_getBlockByNumber \["latest",|comet (?:status|block|header|commit|block_results|validators|abci_info) \{\}$)/

/** Returns the height that an answer makes known as a head, 0 when it makes none known. */
export function headIn(key: string, { text }: { readonly text: string }): number {
  if (key.startsWith('eth eth_blockNumber ')) return heightIn(`"number":${text}`)
  const isTold = ofTip.test(key) || key.startsWith('eth eth_getTransactionReceipt ')
  return isTold ? heightIn(text) : 0
}

/** Returns what is held at a moment. */
export function heldAt(held: readonly Held[], at: number): Answer | undefined {
  return held[countUpTo(held, at, ({ since }) => since) - 1]?.answer
}

type Asked = { readonly key: string; readonly held: readonly Held[]; readonly at: number; readonly head: number }

/**
 * Returns what is held at a moment, or, where that is below the head, the first recorded answer that
 * is not: a later one, or the one to the same question about that height.
 */
export function heldAbove(answers: Answers, { key, held, at, head }: Asked): Answer | undefined {
  const answer = heldAt(held, at)
  if (answer?.ok !== true || !ofTip.test(key) || headIn(key, answer) >= head) return answer
  if (key.startsWith('eth eth_blockNumber ')) return { ok: true, text: `"0x${head.toString(16)}"` }
  const later = held.find(({ since, answer: one }) => since > at && one.ok === true && headIn(key, one) >= head)?.answer
  const pinned = key.replace('"latest"', `"0x${head.toString(16)}"`).replace(' {}', ` {"height":"${head}"}`)
  return later ?? answers.get(pinned)?.at(-1)?.answer ?? answer
}
