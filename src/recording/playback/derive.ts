/**
 * Derives answers from other answers of the same recording, such as recorded blocks (`mocks.md`
 * §4.6).
 */
import { boundedCache } from '../../data/boundedCache.ts'
import type { Answer } from '../../node/answer.ts'
import type { Side } from '../../settings/side.ts'
import { methodOf } from '../../rpc/sides.ts'
import { callKey, heightAsked, isCallTo, keyParts, type KeyParts } from './callKey.ts'
import { createFacts } from './chainFacts.ts'
import { sha256OfBase64 } from './cometHash.ts'
import { mostKept, weightOf, type Answers, type HeldAnswer, type NoteSource } from './library.ts'
import { createGathering } from './multicalls.ts'
import { itemTexts, memberTexts } from './slice.ts'

/** Finds the answer to a call that was not recorded. */
export type Derive = (key: string) => HeldAnswer | undefined

/** The position of a block or transaction; `source` is the call that shows it. */
type Found = { readonly block: string; readonly index: number; readonly source: string }

/**
 * Returns a function that finds the answers to a call: the recorded ones, or answers derived from
 * them.
 */
export function createLookup(answers: Answers, note: NoteSource): (key: string) => readonly HeldAnswer[] | undefined {
  const derive = deriving(answers, note)
  const gathered = createGathering(answers, note)
  const facts = createFacts(answers, note)
  const derived = boundedCache<readonly HeldAnswer[]>(mostKept, weightOf)
  return (key) => {
    const found = answers.get(key)
    if (found !== undefined) return found
    const known = derived.get(key)
    if (known !== undefined) return known.length === 0 ? undefined : known
    const one = derive(key)
    const all = one === undefined ? (gathered(key) ?? facts(key)) : [one]
    derived.set(key, all ?? [])
    return all
  }
}

/** Returns a search over the recorded blocks. It indexes them once, on first use. */
export function deriving(answers: Answers, note: NoteSource): Derive {
  let places: ReadonlyMap<string, Found> | undefined
  const held: HeldOf = (side, method, params) => {
    const key = callKey({ side, method, params }, () => [])
    note(key)
    return answers.get(key)?.at(-1)
  }
  const placeOf = (hash: string) => {
    places ??= placesIn(answers)
    const found = places.get(hash)
    if (found !== undefined) note(found.source)
    return found
  }
  return (key) => {
    const { side, method, params } = keyParts(key)
    return side === 'eth' ? ofEth({ method, params }, held, placeOf) : ofComet({ method, params }, held, placeOf)
  }
}

type HeldOf = (side: Side, method: string, params: string) => HeldAnswer | undefined
type PlaceOf = (hash: string) => Found | undefined
type Call = Pick<KeyParts, 'method' | 'params'>

function ofEth({ method, params }: Call, held: HeldOf, placeOf: PlaceOf): HeldAnswer | undefined {
  const [first = '', second = ''] = itemTexts(params)
  if (first === '') return undefined
  if (method === 'eth_getLogs' && first.startsWith('{')) {
    return logs(first, (name, text) => held('eth', name, text))
  }
  const role = methodOf({ side: 'eth', method })?.params[0]?.role
  const isByHash =
    role === 'blockHash' || role === 'txHash' || (method === 'eth_getBlockReceipts' && first.length === 68)
  const place: Omit<Found, 'source'> | undefined = isByHash ? placeOf(first) : { block: first, index: -1 }
  if (place === undefined) return undefined
  const { block, index } = place
  const whole = (isFull: boolean) => held('eth', 'eth_getBlockByNumber', `[${block},${isFull}]`)
  const txs = (isFull: boolean) => member(whole(isFull), 'transactions')
  switch (method) {
    case 'eth_getBlockByHash':
      return whole(second === 'true')
    case 'eth_getBlockReceipts':
      return isByHash ? held('eth', method, `[${block}]`) : undefined
    case 'eth_getTransactionReceipt':
      return index < 0 ? undefined : item(held('eth', 'eth_getBlockReceipts', `[${block}]`), index)
    case 'eth_getTransactionByHash':
      return index < 0 ? undefined : item(txs(true), index)
    case 'eth_getTransactionByBlockHashAndIndex':
    case 'eth_getTransactionByBlockNumberAndIndex':
      return item(txs(true), Number(second.replaceAll('"', '')), 'null')
    case 'eth_getBlockTransactionCountByHash':
    case 'eth_getBlockTransactionCountByNumber':
      return withText(txs(false), (text) => `"0x${itemTexts(text).length.toString(16)}"`)
    default:
      return undefined
  }
}

function ofComet({ method, params }: Call, held: HeldOf, placeOf: PlaceOf): HeldAnswer | undefined {
  const asked = JSON.parse(params) as Readonly<Record<string, string>>
  const { height = '', hash = '' } = asked
  const at = (name: string, of: string) => held('comet', name, `{"height":"${of}"}`)
  const place = hash === '' ? undefined : placeOf(hash)
  switch (method) {
    case 'header':
      return height === '' ? undefined : headerIn(at('block', height))
    case 'block_by_hash':
      return place === undefined ? undefined : at('block', place.block)
    case 'header_by_hash':
      return place === undefined ? undefined : (at('header', place.block) ?? headerIn(at('block', place.block)))
    case 'validators':
      return height === '' ? undefined : allOnOnePage(at('validators', height), asked)
    case 'tx':
      return place === undefined || asked['prove'] === 'true' ? undefined : cometTx(hash, place, at)
    default:
      return undefined
  }
}

/** Extracts the header of a block: `{"block":{"header":…}}` becomes `{"header":…}`. */
function headerIn(found: HeldAnswer | undefined): HeldAnswer | undefined {
  return withText(member(member(found, 'block'), 'header'), (text) => `{"header":${text}}`)
}

/** Returns the page if it contains all items; such a page is the same for every page size. */
function allOnOnePage(
  found: HeldAnswer | undefined,
  { page = '1', per_page: size = '30' }: Readonly<Record<string, string>>,
): HeldAnswer | undefined {
  return withText(found, (text) => {
    const { total } = JSON.parse(text) as { total?: string }
    return page === '1' && Number(total) <= Math.min(Number(size), 30) ? text : undefined
  })
}

function cometTx(
  hash: string,
  { block, index }: Found,
  at: (name: string, of: string) => HeldAnswer | undefined,
): HeldAnswer | undefined {
  const tx = item(member(member(member(at('block', block), 'block'), 'data'), 'txs'), index)
  const result = item(member(at('block_results', block), 'txs_results'), index)
  if (tx?.answer.ok !== true || result === undefined) return undefined
  const { text } = tx.answer
  return withText(
    result,
    (told) =>
      `{"hash":"${hash.slice(2).toUpperCase()}","height":"${block}","index":${index},` +
      `"tx_result":${told},"tx":${text}}`,
  )
}

/** Returns the positions of blocks and transactions of both interfaces, by hash. */
function placesIn(answers: Answers): ReadonlyMap<string, Found> {
  const places = new Map<string, Found>()
  for (const key of answers.keys()) {
    const block = blockAsked(key)
    if (block === undefined) continue
    const answer = answers.get(key)?.at(-1)?.answer
    if (answer?.ok !== true) continue
    const placed = block.side === 'eth' ? ethPlaces(answer.text) : cometPlaces(answer.text)
    for (const [hash, index] of placed) places.set(hash, { block: block.text, index, source: key })
  }
  return places
}

/** Returns the height in a call for a whole block, in the spelling of its side. */
function blockAsked(key: string): { readonly side: Side; readonly text: string } | undefined {
  if (isCallTo('comet', 'block', key)) {
    const height = heightAsked(key)
    return height === undefined ? undefined : { side: 'comet', text: height }
  }
  if (!isCallTo('eth', 'eth_getBlockByNumber', key)) return undefined
  const [number = ''] = itemTexts(keyParts(key).params)
  return number.startsWith('"0x') ? { side: 'eth', text: number } : undefined
}

/** Lists the hash of a block, with -1, and the hashes of its transactions, with their indexes. */
function ethPlaces(text: string): readonly (readonly [hash: string, index: number])[] {
  const members = memberTexts(text)
  const txs = itemTexts(members.get('transactions') ?? '')
  const hashOf = (tx: string) => (tx.startsWith('{') ? (memberTexts(tx).get('hash') ?? '') : tx)
  return [[members.get('hash') ?? '', -1], ...txs.map((tx, index) => [hashOf(tx), index] as const)]
}

/** Lists the same for a CometBFT block. Keys write these hashes as hex with a `0x` prefix. */
function cometPlaces(text: string): readonly (readonly [hash: string, index: number])[] {
  const members = memberTexts(text)
  const hash = memberTexts(members.get('block_id') ?? '').get('hash') ?? '""'
  const txs = itemTexts(memberTexts(memberTexts(members.get('block') ?? '').get('data') ?? '').get('txs') ?? '')
  return [
    [`0x${String(JSON.parse(hash)).toLowerCase()}`, -1],
    ...txs.map((tx, index) => [`0x${sha256OfBase64(String(JSON.parse(tx)))}`, index] as const),
  ]
}

function withText(held: HeldAnswer | undefined, text: (from: string) => string | undefined): HeldAnswer | undefined {
  if (held?.answer.ok !== true) return undefined
  const found = text(held.answer.text)
  const answer: Answer | undefined = found === undefined ? undefined : { ok: true, text: found }
  return answer === undefined ? undefined : { ...held, answer }
}

function member(held: HeldAnswer | undefined, name: string): HeldAnswer | undefined {
  return withText(held, (text) => memberTexts(text).get(name))
}

function item(held: HeldAnswer | undefined, index: number, orElse?: string): HeldAnswer | undefined {
  return withText(held, (text) => itemTexts(text)[index] ?? orElse)
}

/**
 * Returns the logs of a range from its blocks, filtered; undefined unless every block is recorded.
 */
function logs(
  filter: string,
  held: (method: string, params: string) => HeldAnswer | undefined,
): HeldAnswer | undefined {
  const { fromBlock, toBlock, address, topics = [] } = JSON.parse(filter) as Filter
  const [from, to] = [Number(fromBlock ?? 'x'), Number(toBlock ?? 'x')]
  if (!(from <= to) || to - from > 10_000) return undefined
  const addresses = wantedOf(address)
  const positions = Array.isArray(topics) ? topics.map(wantedOf) : [undefined]
  // The node refuses other filters.
  if (addresses === undefined || !positions.every((one) => one !== undefined)) return undefined
  const texts: string[] = []
  let since = -Infinity
  for (let height = from; height <= to; height++) {
    const tag = `"0x${height.toString(16)}"`
    const block = held('eth_getLogs', `[{"fromBlock":${tag},"toBlock":${tag}}]`)
    if (block?.answer.ok !== true) return undefined
    since = Math.max(since, block.since)
    texts.push(...itemTexts(block.answer.text).filter((text) => passes(JSON.parse(text) as Log, addresses, positions)))
  }
  return { since, answer: { ok: true, text: `[${texts.join(',')}]` }, count: 0 }
}

type Filter = {
  readonly fromBlock?: unknown
  readonly toBlock?: unknown
  readonly address?: unknown
  readonly topics?: unknown
}
type Log = { readonly address: string; readonly topics: readonly string[] }
/** Alternatives in lowercase; an empty list matches everything. */
type Wanted = readonly string[]

/** Returns the alternatives of a filter's member, one of which can be null; undefined if it is none of these. */
function wantedOf(value: unknown): Wanted | undefined {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value ?? null]
  if (list.includes(null)) return []
  const texts = list.filter((one) => typeof one === 'string')
  return texts.length === list.length ? texts.map((one) => one.toLowerCase()) : undefined
}

/** Returns whether a log matches. A topic position that it does not have never matches, as in `feed/logFilter.ts`. */
function passes({ address, topics }: Log, addresses: Wanted, positions: readonly Wanted[]): boolean {
  const isAmong = (text: string, wanted: Wanted) => wanted.length === 0 || wanted.includes(text.toLowerCase())
  return (
    isAmong(address, addresses) &&
    positions.length <= topics.length &&
    positions.every((wanted, at) => isAmong(topics[at] ?? '', wanted))
  )
}
