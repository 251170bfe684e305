/** Finds logs in the chain (`cosmos-evm-rpc.md` §5.2). */
import type { BlockRecord, EthereumTx } from '../../chain/block.ts'
import type { Chain } from '../../chain/chain.ts'
import { recordByEthHash } from '../../chain/lookups.ts'
import { logKey } from '../../chain/indexing.ts'
import { blockAt } from '../../chain/view.ts'
import type { BlockRef } from '../../codec/blockRef.ts'
import type { PlainObject } from '../../codec/goJsonWrite.ts'
import { hexOf } from '../../codec/hex.ts'
import { numbersOf, type AppendIndex } from '../../data/appendIndex.ts'
import { remembered } from '../../data/remembered.ts'
import { logJson, logText } from '../../feed/ethShapes.ts'
import { wantedLogs, type PlacedLog, type WantedPlaces } from '../../feed/logFilter.ts'
import type { Node } from '../../node/node.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import type { RpcError } from '../errors.ts'
import type { Context } from '../method.ts'
import { JsonText } from '../result.ts'
import { serverError } from './errors.ts'
import type { LogQuery } from './logFilterParam.ts'

type Range = { readonly from: bigint; readonly to: bigint }

/**
 * Returns the logs that match a query, in order of height, transaction and log. Throws where the
 * node refuses: pending blocks, invalid ranges or ranges above the head, and too many blocks or
 * results (`cosmos-evm-rpc.md` §5.2).
 */
export function queryLogs(context: Context, query: LogQuery): JsonText {
  const texts: string[] = []
  for (const placed of foundLogs(context, query)) {
    // Joined block by block: short-lived pieces are cheap, and a response can have 100,000 logs.
    if (placed.length > 0) texts.push(placed.map(keptLogText).join(','))
  }
  return new JsonText(`[${texts.join(',')}]`)
}

/** Returns the matching logs of each block. */
function foundLogs({ node }: Context, query: LogQuery): readonly (readonly PlacedLog[])[] {
  const { chain, settings } = node
  const logsOf = logsIn(node, query)
  if (query.blockHash !== undefined) {
    const record = recordByEthHash(chain.history, query.blockHash)
    if (record === undefined) throw unknownBlock(query.blockHash)
    return [logsOf(record)]
  }
  const range = rangeOf(node, query)
  if (settings.blockRangeCap === 0) return []
  if (range.to - range.from > BigInt(settings.blockRangeCap)) {
    throw serverError(`maximum [from, to] blocks distance: ${settings.blockRangeCap}`)
  }
  // For height 0, the node asks CometBFT and gets the newest block.
  const isRepeating = range.from === 0n && hasQuirk(settings, 'logs-from-zero-repeat')
  const head = blockAt(chain, chain.height)
  const found = isRepeating && head !== undefined ? [logsOf(head)] : []
  let count = found[0]?.length ?? 0
  for (const record of blocksWith(chain, query, range)) {
    const placed = logsOf(record)
    found.push(placed)
    count += placed.length
    if (count > settings.logsCap) {
      throw serverError(`query returned more than ${settings.logsCap} results`)
    }
  }
  return found
}

/** Returns a function that finds the wanted logs of a block, with indexes as a look-up by hash shows them. */
function logsIn({ settings }: Node, wanted: WantedPlaces): (record: BlockRecord) => readonly PlacedLog[] {
  const onlyCommitted = hasQuirk(settings, 'uncommitted-tx-hides-block')
  return (record) => wantedLogs(record, wanted, onlyCommitted)
}

/** The texts of a transaction's logs in a block. */
type Kept = { record: BlockRecord | undefined; texts: (string | undefined)[] }

/** The number of transactions whose texts are kept, and the most logs that one of them has. */
const [txsKept, logsKept] = [200, 64]
const keptOf = remembered((_: EthereumTx): Kept => ({ record: undefined, texts: [] }), txsKept)

/** Returns the text of a log; clients ask for the same logs again. */
function keptLogText({ record, tx, log }: PlacedLog): string {
  const { logs } = tx.receipt
  if (logs.length > logsKept) return logText(record, tx, log)
  const kept = keptOf(tx)
  if (kept.record !== record) Object.assign(kept, { record, texts: [] })
  const place = log.index - (logs[0]?.index ?? 0)
  const text = kept.texts[place] ?? logText(record, tx, log)
  kept.texts[place] = text
  return text
}

type Changes = Range & { readonly gone: readonly BlockRecord[] }

/**
 * Returns the changes for a polled filter, limited to the heights of its query. First come logs
 * that it has reported and that were removed in a reorg, newest first and marked `removed`. Then
 * come the logs of new heights.
 */
export function changedLogs(
  { node }: Context,
  wanted: WantedPlaces & Said,
  { from, to, gone }: Changes,
): readonly PlainObject[] {
  const logsOf = logsIn(node, wanted)
  const said = { from: heightIn(wanted.from) ?? 0n, to: heightIn(wanted.to) }
  const first = said.from > from ? said.from : from
  const last = said.to !== undefined && said.to < to ? said.to : to
  const isWanted = ({
    block: {
      header: { height },
    },
  }: BlockRecord) => height >= said.from && (said.to === undefined || height <= said.to)
  const lost = gone.filter(isWanted).flatMap((record) => logsOf(record).toReversed())
  const records = [...blocksWith(node.chain, wanted, { from: first, to: last })]
  return [
    ...lost.map((placed) => ({ ...placedLogJson(placed), removed: true })),
    ...records.flatMap((record) => logsOf(record).map(placedLogJson)),
  ]
}

function heightIn(ref: BlockRef | undefined): bigint | undefined {
  return ref?.kind === 'height' ? ref.height : undefined
}

/** The range of a filter, as given. */
export type Said = { readonly from: BlockRef | undefined; readonly to: BlockRef | undefined }

/** Returns a log as JSON with its block, transaction and index. */
function placedLogJson({ record, tx, log }: PlacedLog): PlainObject {
  return logJson(record, tx, log)
}

function rangeOf({ chain, settings }: Node, { from, to }: Said): Range {
  const range = { from: heightFor(chain, from), to: heightFor(chain, to) }
  const isAbove = range.to > chain.height
  const isRefused = isAbove && hasQuirk(settings, 'logs-above-head-refused')
  const isWrong = range.from > range.to || range.from > chain.height || isRefused
  if (isWrong) throw serverError('invalid block range params')
  return isAbove ? { ...range, to: chain.height } : range
}

function heightFor(chain: Chain, ref: BlockRef | undefined): bigint {
  if (ref?.kind === 'height') return ref.height
  if (ref?.kind !== 'tag') return chain.height
  if (ref.tag === 'pending') throw serverError('pending logs are not supported')
  return ref.tag === 'earliest' ? 1n : chain.height
}

function unknownBlock(hash: Uint8Array): RpcError {
  const shown = hexOf(hash)
  return serverError(`failed to fetch header by hash ${shown}: block not found for hash ${shown}`)
}

/** Yields the blocks of a range that may contain a matching log, according to the index. */
function* blocksWith(chain: Chain, wanted: WantedPlaces, { from, to }: Range): Generator<BlockRecord> {
  const { history } = chain
  const first = from > history.base ? from : history.base
  const heights = indexedHeights(history.logs, wanted, { from: Number(first), to: Number(to) + 1 })
  // Without conditions the index is not read, but blocks that are not indexed yet are still left
  // out.
  const filed = history.first + BigInt(history.events.length) - 1n
  for (const height of heights ?? heightsOf(first, to < filed ? to : filed)) {
    const record = blockAt(chain, BigInt(height))
    if (record !== undefined) yield record
  }
}

function* heightsOf(first: bigint, last: bigint): Generator<bigint> {
  for (let height = first; height <= last; height++) yield height
}

/**
 * Returns the heights at which every condition has a matching log, or undefined without conditions.
 */
function indexedHeights(
  index: AppendIndex,
  { addresses, topics }: WantedPlaces,
  range: { from: number; to: number },
): readonly number[] | undefined {
  const conditions = [
    addresses.map((each) => logKey(each)),
    ...topics.map((alternatives, position) => alternatives.map((each) => logKey(each, position))),
  ].filter((keys) => keys.length > 0)
  if (conditions.length === 0) return undefined
  const found = conditions.map((keys) => new Set(keys.flatMap((key) => numbersOf(index, key, range))))
  const [least = new Set<number>(), ...others] = found.sort((a, b) => a.size - b.size)
  return [...least].filter((height) => others.every((set) => set.has(height))).sort((a, b) => a - b)
}
