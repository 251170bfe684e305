/**
 * Searches the blocks of a recording by the rules of the node's own index (`comet-rpc.md` §1.17,
 * §1.18). Blocks below the first recorded one are not searched.
 */
import type { AbciEvent } from '../../app/abci.ts'
import { type SearchedTx, withBlockEvents, withTx } from '../../chain/indexing.ts'
import { bytesOfDigits, plainHexOf } from '../../codec/hex.ts'
import { emptyIndex } from '../../data/appendIndex.ts'
import { emptyMap, mapGet, mapSet, type PersistentMap } from '../../data/persistentMap.ts'
import { append, emptySegments, itemAt, type Segments } from '../../data/segments.ts'
import type { Answer } from '../../node/answer.ts'
import { pageBounds } from '../../rpc/comet/paging.ts'
import { inOrder, readQuery } from '../../rpc/comet/search.ts'
import { searchBlocks, type BlockIndex } from '../../rpc/comet/searchBlocks.ts'
import { searchTxs, type TxIndex } from '../../rpc/comet/searchTxs.ts'
import { RpcError } from '../../rpc/errors.ts'
import { isCallTo, keyAtHeight, keyOfNormalized, keyParts } from './callKey.ts'
import { sha256OfBase64 } from './cometHash.ts'
import { itemTexts, memberTexts } from './slice.ts'
import type { Lookup } from './tipAnswers.ts'

/** Answers a search as of a head height; returns undefined if a block is missing. */
export type PlayedSearch = (key: string, height: number) => Answer | undefined

type Index = Omit<TxIndex, 'read' | 'numberOf' | 'txs'> &
  BlockIndex & {
    readonly next: number
    readonly txs: Segments<SearchedTx>
    readonly txByHash: PersistentMap<number>
  }

type Block = {
  readonly events: readonly AbciEvent[]
  readonly txs: readonly { readonly hash: string; readonly events: readonly AbciEvent[] }[]
}

/** Returns a search function. It reads blocks when a search first needs them. */
export function createSearch(lookup: Lookup): PlayedSearch {
  let index: Index | undefined
  const indexUpTo = (height: number): Index | undefined => {
    index ??= emptyFrom(firstBlock(height, lookup))
    while (index.next <= height) {
      const block = blockAt(index.next, lookup)
      if (block === undefined) return undefined
      index = withBlock(index, block)
    }
    return index
  }
  return (key, height) => {
    const [isOfTxs, isOfBlocks] = [isCallTo('comet', 'tx_search', key), isCallTo('comet', 'block_search', key)]
    if ((!isOfTxs && !isOfBlocks) || blockAt(height, lookup) === undefined) return undefined
    const { params } = keyParts(key)
    const asked = JSON.parse(params) as SearchParams
    if (asked.prove === 'true') return undefined
    const known = indexUpTo(height)
    if (known === undefined) return undefined
    try {
      return isOfTxs ? txsFound(known, asked, { height, lookup }) : blocksFound(known, asked, { height, lookup })
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      return { ok: false, error: { code: error.rpcCode, message: error.message, data: error.data } }
    }
  }
}

type SearchParams = {
  readonly query?: string
  readonly prove?: string
  readonly page?: string
  readonly per_page?: string
  readonly order_by?: string
}

type At = { readonly height: number; readonly lookup: Lookup }

function txsFound(index: Index, asked: SearchParams, { height, lookup }: At): Answer | undefined {
  const all = searchTxs(
    {
      ...index,
      read: (number) => itemAt(index.txs, number),
      numberOf: (hash) => mapGet(index.txByHash, plainHexOf(hash)),
    },
    readQuery(asked.query ?? '', { isLimited: true }),
  ).filter((number) => itemAt(index.txs, number).height <= BigInt(height))
  const sorted = inOrder(all, asked.order_by ?? '', 'asc')
  return pageText('txs', sorted, asked, (number) => {
    const hash = plainHexOf(itemAt(index.txs, number).hash)
    return recordedResult(lookup, keyOfNormalized('comet', 'tx', { hash: `0x${hash}` }))
  })
}

function blocksFound(index: Index, asked: SearchParams, { height, lookup }: At): Answer | undefined {
  const all = searchBlocks(index, readQuery(asked.query ?? '', { isLimited: false })).filter((one) => one <= height)
  const sorted = inOrder(all, asked.order_by ?? '', 'desc')
  return pageText('blocks', sorted, asked, (one) => recordedResult(lookup, keyAtHeight('block', one)))
}

function pageText(
  name: string,
  sorted: readonly number[],
  asked: SearchParams,
  textFor: (number: number) => string | undefined,
): Answer | undefined {
  const { from, to } = pageBounds(numberIn(asked.page), numberIn(asked.per_page), sorted.length)
  const texts = sorted.slice(from, to).map(textFor)
  if (texts.includes(undefined)) return undefined
  return { ok: true, text: `{"${name}":[${texts.join(',')}],"total_count":"${sorted.length}"}` }
}

function numberIn(text: string | undefined): bigint | undefined {
  return text !== undefined && /^-?\d+$/.test(text) ? BigInt(text) : undefined
}

function recordedResult(lookup: Lookup, key: string): string | undefined {
  const answer = lookup(key)?.at(-1)?.answer
  return answer?.ok === true ? answer.text : undefined
}

/** Returns the lowest height from which all blocks up to `height` are recorded without a gap. */
function firstBlock(height: number, lookup: Lookup): number {
  let first = height
  while (first > 1 && hasBlock(first - 1, lookup)) first -= 1
  return first
}

function hasBlock(height: number, lookup: Lookup): boolean {
  return (
    lookup(keyAtHeight('block', height)) !== undefined && lookup(keyAtHeight('block_results', height)) !== undefined
  )
}

function emptyFrom(first: number): Index {
  return {
    first: BigInt(first),
    next: first,
    records: { length: 0 },
    events: emptySegments(),
    blockEvents: emptyIndex(),
    txs: emptySegments(),
    txByHash: emptyMap,
    repeatedTxs: emptyMap,
    txEvents: emptyIndex(),
  }
}

function blockAt(height: number, lookup: Lookup): Block | undefined {
  const [blockText, resultsText] = [
    recordedResult(lookup, keyAtHeight('block', height)),
    recordedResult(lookup, keyAtHeight('block_results', height)),
  ]
  if (blockText === undefined || resultsText === undefined) return undefined
  const data = memberTexts(memberTexts(memberTexts(blockText).get('block') ?? '').get('data') ?? '')
  const results = memberTexts(resultsText)
  const txResults = itemTexts(results.get('txs_results') ?? '')
  return {
    events: eventsOf(results.get('finalize_block_events')),
    txs: itemTexts(data.get('txs') ?? '').map((tx, at) => ({
      hash: sha256OfBase64(String(JSON.parse(tx))),
      events: eventsOf(memberTexts(txResults[at] ?? '').get('events')),
    })),
  }
}

function eventsOf(text: string | undefined): readonly AbciEvent[] {
  const events = (JSON.parse(text ?? '[]') as readonly Partial<AbciEvent>[] | null) ?? []
  return events.map(({ type = '', attributes }) => ({ type, attributes: attributes ?? [] }))
}

function withBlock(index: Index, { events, txs }: Block): Index {
  const height = index.next
  const all = append(index.events, events)
  let grown: Index = {
    ...index,
    next: height + 1,
    records: { length: index.records.length + 1 },
    events: all,
    blockEvents: withBlockEvents(index.blockEvents, all, Number(index.first)),
  }
  for (const { hash, events: ofTx } of txs) {
    const all = append(grown.txs, {
      height: BigInt(height),
      hash: bytesOfDigits(hash) ?? new Uint8Array(),
      result: { events: ofTx },
    })
    const [number, before] = [all.length - 1, mapGet(grown.txByHash, hash)]
    const repeated = before === undefined ? [] : [...(mapGet(grown.repeatedTxs, hash) ?? [before]), number]
    grown = {
      ...grown,
      txs: all,
      txByHash: mapSet(grown.txByHash, hash, number),
      repeatedTxs: before === undefined ? grown.repeatedTxs : mapSet(grown.repeatedTxs, hash, repeated),
      txEvents: withTx(grown.txEvents, number, { read: (one) => itemAt(all, one), source: all.storage }),
    }
  }
  return grown
}
