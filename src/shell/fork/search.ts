/** Asks both sides of a fork for all results of a CometBFT RPC search. */
import { membersOf, type Members } from '../../data/members.ts'
import { SimError } from '../../errors.ts'
import type { Answer } from '../../node/answer.ts'
import type { Node } from '../../node/node.ts'
import type { World } from '../../node/world.ts'
import { hashIn, listName, pageQuestion, perPageMost, type Search, searchPage } from '../../recording/fork/joins.ts'
import { peek } from '../peek.ts'
import type { Forking } from './forking.ts'
import { isOurs } from './ours.ts'
import { knownAnswer } from './source.ts'

export type HistoryAsked = Forking & { readonly world: World; readonly node: Node }

const pagesMost = 20

/**
 * Resolves with a page of the results of both chains. Rejects with `TooManyFound` if a chain has
 * more than 2000.
 */
export async function bothFound({ source, height, world, node }: HistoryAsked, search: Search): Promise<Answer> {
  const { method } = search
  const own = await everyPage(search, (params) => {
    const after = peek(world, node, { side: 'comet', method, params })
    return Promise.resolve('error' in after ? refused(after.error) : { ok: true, text: JSON.stringify(after.result) })
  })
  if ('ok' in own) return own
  const hash = hashIn(search)
  const isKnown = hash !== undefined && (own.length > 0 || isOurs(node, hash))
  const other = isKnown
    ? []
    : await everyPage(search, async (params) => {
        const call = { side: 'comet', method, params: { form: 'json', text: JSON.stringify(params) } } as const
        // Clients search for hashes that they have just sent, which a recording cannot contain.
        return hash === undefined ? source.ask(call) : ((await knownAnswer(source, call)) ?? nothing(search))
      })
  return searchPage(search, { before: 'ok' in other ? [] : other, own, height })
}

function nothing(search: Search): Answer {
  return { ok: true, text: JSON.stringify({ [listName(search)]: [], total_count: '0' }) }
}

function refused({ code, message }: { code: number; message: string }): Answer {
  return { ok: false, error: { code, message, data: undefined } }
}

async function everyPage(
  search: Search,
  ask: (params: Members) => Promise<Answer>,
): Promise<readonly Members[] | Answer> {
  const found: Members[] = []
  for (let page = 1; ; page++) {
    const answer = await ask(pageQuestion(search, page))
    if (answer.ok !== true) return answer
    const result = membersOf(JSON.parse(answer.text))
    const list = result[listName(search)]
    const items = Array.isArray(list) ? list.map(membersOf) : []
    found.push(...items)
    if (found.length >= Number(result['total_count']) || items.length === 0) return found
    if (page === pagesMost) throw new TooManyFound(String(result['total_count']))
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
