/** Asks the other chain of a fork for all results of a CometBFT RPC search. */
import { membersOf, type Members } from '../../data/members.ts'
import { SimError } from '../../errors.ts'
import type { Answer, OtherPart } from '../../node/answer.ts'
import type { Node } from '../../node/node.ts'
import type { World } from '../../node/world.ts'
import {
  hashIn,
  heightOfFound,
  listName,
  pageQuestion,
  perPageMost,
  refusedSample,
  type NodeSearch,
} from '../../recording/fork/otherAnswers.ts'
import { itemTexts, memberTexts } from '../../recording/playback/slice.ts'
import { peek } from '../peek.ts'
import type { Forking } from './forking.ts'
import { isOurs } from './ours.ts'
import { knownAnswer } from './source.ts'

export type HistoryAsked = Forking & { readonly world: World; readonly node: Node }

const pagesMost = 20

/**
 * Resolves with the other chain's results up to the fork, in ascending order. Resolves with undefined
 * if our chain answers alone: it has the hash that is searched for, or refuses the search. Rejects
 * with `TooManyFound` if there are more than 2000.
 */
export async function otherFound(asked: HistoryAsked, search: NodeSearch): Promise<OtherPart | undefined> {
  const { source, height, world, node } = asked
  const { method } = search
  const hash = hashIn(search)
  if (hash !== undefined && isOurs(node, hash)) return undefined
  if ('error' in peek(world, node, { side: 'comet', method, params: refusedSample(search) })) return undefined
  const found = await everyPage(search, (params) => {
    const call = { side: 'comet', method, params: { form: 'json', text: JSON.stringify(params) } } as const
    // Clients search for hashes that they have just sent, which a recording cannot contain.
    return hash === undefined ? source.ask(call) : knownAnswer(source, call)
  })
  return { other: `[${found.filter((text) => heightOfFound(membersOf(JSON.parse(text))) <= height).join(',')}]` }
}

/** Resolves with the texts of all results; none if the other chain does not answer the search. */
async function everyPage(
  search: NodeSearch,
  ask: (params: Members) => Promise<Answer | undefined>,
): Promise<readonly string[]> {
  const found: string[] = []
  for (let page = 1; ; page++) {
    const answer = await ask(pageQuestion(search, page))
    if (answer?.ok !== true) return []
    const result = memberTexts(answer.text)
    const items = itemTexts(result.get(listName(search)) ?? '')
    const total = String(JSON.parse(result.get('total_count') ?? '0'))
    found.push(...items)
    if (found.length >= Number(total) || items.length === 0) return found
    if (page === pagesMost) throw new TooManyFound(total)
  }
}

/** A search found more results than are merged. */
export class TooManyFound extends SimError {
  constructor(total: string) {
    const most = perPageMost * pagesMost
    super(
      'TOO_MANY_FOUND',
      `chainstage: found ${total} results below the fork, more than the ${most} that can be listed`,
      {
        hint: 'Limit the heights in the query, for example with tx.height<=N.',
      },
    )
  }
}
