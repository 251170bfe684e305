/**
 * Merges CometBFT RPC searches of both sides of a fork into one list, ordered by height
 * (`comet-rpc.md` §4.4).
 */
import { membersOf, type Members } from '../../data/members.ts'
import { SimError } from '../../errors.ts'
import type { Answer } from '../../node/answer.ts'
import { peek } from '../peek.ts'
import type { Forking } from './forking.ts'
import type { Node } from '../../node/node.ts'
import type { World } from '../../node/world.ts'

export type Search = { readonly method: string; readonly params: Members }

const perPageMost = 100
const pagesMost = 20

/**
 * Resolves with a page of the results of both chains. Rejects with `TooManyFound` if a chain has
 * more than 2000.
 */
export async function bothFound(asked: HistoryAsked, { method, params }: Search): Promise<Answer> {
  const { source, height, world, node } = asked
  const list = method === 'tx_search' ? 'txs' : 'blocks'
  const question = {
    query: plain(params['query']),
    prove: plain(params['prove']) === 'true',
    order_by: 'asc',
  }
  const own = await everyPage(list, (page) => {
    const after = peek(world, node, { side: 'comet', method, params: { ...question, ...page } })
    return Promise.resolve('error' in after ? refused(after.error) : { ok: true, text: JSON.stringify(after.result) })
  })
  if ('ok' in own) return own
  const isByHash = /\btx\.hash\s*=/.test(question.query)
  const past =
    isByHash && own.length > 0
      ? []
      : everyPage(list, (page) => {
          const text = JSON.stringify({ ...question, ...page })
          return source.ask({ side: 'comet', method, params: { form: 'json', text } })
        })
  // Clients search for hashes that they have just sent, which a recording cannot contain.
  const other = await (isByHash ? Promise.resolve(past).catch(() => []) : past)
  const before = 'ok' in other ? [] : other.filter((one) => heightOf(one) <= height)
  return pageOf([...before, ...own], { ...params, list, method })
}

function refused({ code, message }: { code: number; message: string }): Answer {
  return { ok: false, error: { code, message, data: undefined } }
}

type Page = { readonly page: string; readonly per_page: string }

async function everyPage(list: string, ask: (page: Page) => Promise<Answer>): Promise<readonly Members[] | Answer> {
  const found: Members[] = []
  for (let page = 1; ; page++) {
    const answer = await ask({ page: String(page), per_page: String(perPageMost) })
    if (answer.ok !== true) return answer
    const result = membersOf(JSON.parse(answer.text))
    const items = Array.isArray(result[list]) ? result[list].map(membersOf) : []
    found.push(...items)
    if (found.length >= Number(result['total_count']) || items.length === 0) return found
    if (page === pagesMost) throw new TooManyFound(String(result['total_count']))
  }
}

function pageOf(all: readonly Members[], { list, method, page, per_page: size, order_by: order }: Members): Answer {
  const isDescending = plain(order) === 'desc' || (plain(order) === '' && method === 'block_search')
  const perPage = Math.min(Number(plain(size) || '30'), perPageMost)
  const at = Number(plain(page) || '1')
  const pages = Math.max(1, Math.ceil(all.length / perPage))
  if (!(at >= 1 && at <= pages)) {
    const data = JSON.stringify(`page should be within [1, ${pages}] range, given ${at}`)
    return { ok: false, error: { code: -32603, message: 'Internal error', data } }
  }
  const shown = (isDescending ? all.toReversed() : all).slice((at - 1) * perPage, at * perPage)
  return {
    ok: true,
    text: JSON.stringify({ [String(list)]: shown, total_count: String(all.length) }),
  }
}

function heightOf(one: Members): bigint {
  const header = membersOf(membersOf(one['block'])['header'])
  return BigInt(String(one['height'] ?? header['height'] ?? '0'))
}

/** Removes the quotation marks around a string in a query string. */
function plain(value: unknown): string {
  return String(value ?? '').replace(/^"(.*)"$/s, '$1')
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

export type HistoryAsked = Forking & { readonly world: World; readonly node: Node }
