/** Answers calls to a forked chain about the other chain's history. */
import type { Answer, OtherPart } from '../../node/answer.ts'
import type { Side } from '../../settings/side.ts'
import { historyPlace, type LookUp } from '../../recording/fork/historyPlace.ts'
import { heightIn, pageUpTo } from '../../recording/fork/otherAnswers.ts'
import { membersOf } from '../../data/members.ts'
import { memberTexts } from '../../recording/playback/slice.ts'
import { devTable } from '../../rpc/dev/index.ts'
import { codes } from '../../rpc/eth/errors.ts'
import type { Call } from '../../rpc/transport.ts'
import { isOurs } from './ours.ts'
import { otherFound, type HistoryAsked } from './search.ts'
import { knownAnswer, type ForkSource } from './source.ts'
import { BadFact, type ForkCall } from './unanswered.ts'

/** Codes with which nodes and providers answer a method that they lack; -32004 is EIP-1474's. */
const lacking: ReadonlySet<number> = new Set([codes.methodNotFound, codes.invalidRequest, -32004])

/**
 * Returns undefined for a call that our chain answers. Resolves with undefined if the other chain
 * has no answer, so that ours answers too, and with a part of the answer if both chains have one.
 */
export function historyAnswer(
  asked: HistoryAsked,
  side: Side,
  call: Call,
): Promise<Answer | OtherPart | undefined> | undefined {
  const { height, node } = asked
  const { name: method, params } = call
  const isControl = side === 'eth' && devTable.byName.has(method)
  const source = isControl ? mayLack(asked.source) : asked.source
  const place = historyPlace(side, call, { height, head: node.chain.height })
  if (place.kind === 'own' || !source.has(side)) return undefined
  if (isControl && !node.settings.ethApi.includes('dev')) return undefined
  switch (place.kind) {
    case 'other':
      return source.ask({ side, method, params })
    case 'search':
      return otherFound(asked, { method, params: place.params })
    case 'metas':
      return otherPart(source, { side, method, params }, (result) => memberTexts(result).get('block_metas') ?? '[]')
    case 'logs':
    case 'fees':
      return otherPart(source, { side, method, params: { form: 'json', text: place.other } })
    case 'page':
      return pageOf(asked, { side, method, params: { form: 'json', text: place.other } })
    case 'sought':
      return soughtTx(asked, { side, method, params })
    case 'hash':
      return isOurs(node, place.hash)
        ? undefined
        : foundByHash({ ...asked, source }, { side, method, params }, place.lookUp)
  }
}

/** Resolves with the other chain's part of a page up to the fork; our chain answers alone if its node has no such pages. */
async function pageOf({ source, height }: HistoryAsked, call: ForkCall): Promise<Answer | OtherPart | undefined> {
  const answer = await searched(source, call)
  if (answer?.ok !== true) return answer
  const page = pageUpTo(height, membersOf(JSON.parse(answer.text)))
  return page && { other: JSON.stringify(page) }
}

/**
 * Resolves with the transaction that the other chain found, or with undefined if it found none up to the
 * fork. A result that names the hash alone is looked up.
 */
async function soughtTx({ source, height }: HistoryAsked, call: ForkCall): Promise<Answer | OtherPart | undefined> {
  const answer = await searched(source, call)
  if (answer?.ok !== true) return answer
  const found: unknown = JSON.parse(answer.text)
  const hash = typeof found === 'string' ? found : membersOf(found)['hash']
  if (typeof hash !== 'string') return undefined
  const params = { form: 'json', text: JSON.stringify([hash]) } as const
  const named = heightIn(found) === undefined ? { ...call, method: 'eth_getTransactionByHash', params } : undefined
  const placed = named === undefined ? answer : await knownAnswer(source, named)
  return placed !== undefined && isBelow(placed, height) ? { other: answer.text } : undefined
}

/** Resolves with undefined if the other chain's node or its recording does not have such searches. */
async function searched(source: ForkSource, call: ForkCall): Promise<Answer | undefined> {
  const answer = await knownAnswer(source, call)
  return answer?.ok === false && lacking.has(answer.error.code) ? undefined : answer
}

/** Returns the source, which names itself in the error for a method that only our node has. */
function mayLack(source: ForkSource): ForkSource {
  return {
    ...source,
    ask: async (call) => {
      const answer = await source.ask(call)
      if (answer.ok !== false || answer.error.code !== codes.methodNotFound) return answer
      const message = `the node of the forked chain does not have ${call.method}, which was asked about its blocks`
      return { ok: false, error: { ...answer.error, code: codes.server, message } }
    },
  }
}

/**
 * Returns the other chain's answer. Where it has none, or one above the fork, our chain answers.
 *
 * The look-up comes first: a node may wait half a minute for the receipt of an unknown transaction,
 * and a trace or a balance does not name its height. A recording may contain the call alone.
 */
async function foundByHash(
  { source, height }: HistoryAsked,
  call: ForkCall,
  lookUp: LookUp | undefined,
): Promise<Answer | undefined> {
  if (lookUp !== undefined && lookUp.method !== call.method) {
    const params = { form: 'json', text: lookUp.params } as const
    const found = await knownAnswer(source, { side: 'eth', method: lookUp.method, params })
    if (found !== undefined) return isBelow(found, height) ? source.ask(call) : undefined
  }
  const answer = await knownAnswer(source, call)
  return answer !== undefined && isBelow(answer, height) ? answer : undefined
}

/** Returns whether an answer is a result at or below the fork. Results without a height count as such. */
function isBelow(answer: Answer, height: bigint): boolean {
  if (answer.ok !== true || answer.text === 'null') return false
  const at = heightIn(JSON.parse(answer.text))
  return at === undefined || at <= height
}

/** Resolves with the other chain's part of an answer, which `pick` takes from its result, or its error. Rejects with `BadFact`. */
async function otherPart(
  source: ForkSource,
  call: ForkCall,
  pick = (result: string): string => result,
): Promise<Answer | OtherPart> {
  const answer = await source.ask(call)
  if (answer.ok !== true) return answer
  if (answer.text === 'null') throw new BadFact(call.method, answer.text)
  return { other: pick(answer.text) }
}
