/** Answers that follow from others of the same recording: what was recorded of whole blocks (`mocks.md` §4.6). */
import type { Answer } from '../../node/answer.ts'
import { callKey, keyParts } from './callKey.ts'
import type { Answers, Held } from './library.ts'
import { itemTexts, memberTexts } from './slice.ts'

/** Finds what was not asked while it was recorded. */
export type Derive = (key: string) => Held | undefined

type Found = { readonly block: string; readonly index: number }

/** Returns what finds the answers to a call: those that were recorded, or one that follows from them. */
export function createLookup(answers: Answers): (key: string) => readonly Held[] | undefined {
  const derive = deriving(answers)
  const derived = new Map<string, readonly Held[] | undefined>()
  return (key) => {
    const found = answers.get(key)
    if (found !== undefined) return found
    if (!derived.has(key)) {
      const one = derive(key)
      derived.set(key, one === undefined ? undefined : [one])
    }
    return derived.get(key)
  }
}

/** Returns a search over the blocks of a recording; it looks through them once, when it is first asked. */
export function deriving(answers: Answers): Derive {
  let places: ReadonlyMap<string, Found> | undefined
  const held = (method: string, params: string) =>
    answers.get(callKey({ side: 'eth', method, params }, () => []))?.at(-1)

  function find(key: string): Held | undefined {
    const { side, method, params } = keyParts(key)
    if (side !== 'eth') return undefined
    const [first = '', second = 'false'] = itemTexts(params)
    if (method === 'eth_getBlockByHash' || method === 'eth_getTransactionByHash' || method === 'eth_getTransactionReceipt') {
      places ??= placesIn(answers)
      const place = places.get(first)
      if (place === undefined) return undefined
      if (method === 'eth_getBlockByHash') return held('eth_getBlockByNumber', `[${place.block},${second}]`)
      if (place.index < 0) return undefined
      return method === 'eth_getTransactionReceipt' ? item(held('eth_getBlockReceipts', `[${place.block}]`), place.index)
        : item(member(held('eth_getBlockByNumber', `[${place.block},true]`), 'transactions'), place.index)
    }
    return method === 'eth_getLogs' ? logs(first, held) : undefined
  }

  return find
}

/** Blocks and transactions by their hashes. */
function placesIn(answers: Answers): ReadonlyMap<string, Found> {
  const places = new Map<string, Found>()
  for (const key of answers.keys()) {
    if (!/^eth eth_getBlockByNumber \["0x/.test(key)) continue
    const block = itemTexts(keyParts(key).params)[0] ?? ''
    const answer = answers.get(key)?.at(-1)?.answer
    if (answer?.ok !== true) continue
    const members = memberTexts(answer.text)
    places.set(members.get('hash') ?? '', { block, index: -1 })
    for (const [index, text] of itemTexts(members.get('transactions') ?? '').entries()) {
      places.set(text.startsWith('{') ? memberTexts(text).get('hash') ?? '' : text, { block, index })
    }
  }
  return places
}

function withText(held: Held | undefined, text: (from: string) => string | undefined): Held | undefined {
  if (held?.answer.ok !== true) return undefined
  const found = text(held.answer.text)
  const answer: Answer | undefined = found === undefined ? undefined : { ok: true, text: found }
  return answer === undefined ? undefined : { ...held, answer }
}

function member(held: Held | undefined, name: string): Held | undefined {
  return withText(held, (text) => memberTexts(text).get(name))
}

function item(held: Held | undefined, index: number): Held | undefined {
  return withText(held, (text) => itemTexts(text)[index])
}

/** Logs of a range are those of its blocks that the filter lets pass; every block must be there. */
function logs(filter: string, held: (method: string, params: string) => Held | undefined): Held | undefined {
  const { fromBlock, toBlock, address, topics } = JSON.parse(filter) as Filter
  const [from, to] = [Number(fromBlock ?? 'x'), Number(toBlock ?? 'x')]
  if (!(from <= to) || to - from > 10_000) return undefined
  const texts: string[] = []
  let since = -Infinity
  for (let height = from; height <= to; height++) {
    const tag = `"0x${height.toString(16)}"`
    const block = held('eth_getLogs', `[{"fromBlock":${tag},"toBlock":${tag}}]`)
    if (block?.answer.ok !== true) return undefined
    since = Math.max(since, block.since)
    texts.push(...itemTexts(block.answer.text).filter((text) => passes(JSON.parse(text) as Log, { address, topics })))
  }
  return { since, answer: { ok: true, text: `[${texts.join(',')}]` }, count: 0 }
}

type OneOrMore = string | readonly string[] | null
type Filter = { fromBlock?: string; toBlock?: string; address?: OneOrMore; topics?: readonly OneOrMore[] }
type Log = { readonly address: string; readonly topics: readonly string[] }
type Passing = { readonly address: OneOrMore | undefined; readonly topics: readonly OneOrMore[] | undefined }

function passes(log: Log, { address, topics }: Passing): boolean {
  const isAmong = (value: string | undefined, wanted: OneOrMore | undefined) => {
    if (wanted === null || wanted === undefined) return true
    const list = typeof wanted === 'string' ? [wanted] : wanted
    return list.length === 0 || list.some((one) => one.toLowerCase() === value?.toLowerCase())
  }
  return isAmong(log.address, address) && (topics ?? []).every((wanted, at) => isAmong(log.topics[at], wanted))
}
