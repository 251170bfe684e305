/** /cosmos.tx.v1beta1.Service without Simulate and BroadcastTx: included transactions. */
import { readGoHex } from '../../../codec/base64.ts'
import { upperHexOf, GoPanic, nilPointer } from '../../../codec/comet.ts'
import { event } from '../../../codec/protobuf/comet.ts'
import { bytes, int64, message, nested, repeated, text, uint32, uint64 } from '../../../codec/protobuf/message.ts'
import { TxRaw } from '../../../codec/messages/cosmos.ts'
import { formatTime } from '../../../codec/time.ts'
import { isExpected } from '../../../errors.ts'
import type { FoundTx, QueryContext } from '../../application.ts'
import { aminoBinaryOf, aminoJsonOf } from '../tx/aminoTx.ts'
import { checkDecodes } from '../tx/decodeTx.ts'
import { sdkError } from '../txError.ts'
import { itemResponse, ofText, presentBytes, rawMessage } from './answer.ts'
import { type ChainMethods, servicesOf } from './chainMethod.ts'
import { type PageRequest, pageRequest, type PageResponse, pageResponse } from './page.ts'
import { invalidArgument, notFound, PlainQueryError, statusError } from './status.ts'

const service = '/cosmos.tx.v1beta1.Service/'
const anyMessage = message<{ typeUrl: string; value: Uint8Array }>({
  1: ['typeUrl', text],
  2: ['value', bytes],
})
type TxResponse = {
  height: bigint
  hash: string
  codespace: string
  code: number
  data: string
  rawLog: string
  info: string
  gasWanted: bigint
  gasUsed: bigint
  tx: Uint8Array
  timestamp: string
  events: readonly Uint8Array[]
}
const txResponse = message<TxResponse>({
  1: ['height', int64],
  2: ['hash', text],
  3: ['codespace', text],
  4: ['code', uint32],
  5: ['data', text],
  6: ['rawLog', text],
  8: ['info', text],
  9: ['gasWanted', int64],
  10: ['gasUsed', int64],
  11: ['tx', rawMessage],
  12: ['timestamp', text],
  13: ['events', repeated(rawMessage)],
})
const oneTx = message<{ tx: Uint8Array; response: Uint8Array }>({
  1: ['tx', rawMessage],
  2: ['response', rawMessage],
})
type EventsRequest = { order: number; page: bigint; limit: bigint; query: string }
/** Field 1, the list of events, is no longer used. */
const eventsRequest = message<EventsRequest>({
  3: ['order', uint32],
  4: ['page', uint64],
  5: ['limit', uint64],
  6: ['query', text],
})
type EventsAnswer = {
  txs: readonly Uint8Array[]
  responses: readonly Uint8Array[]
  total: bigint
}
const eventsAnswer = message<EventsAnswer>({
  1: ['txs', repeated(rawMessage)],
  2: ['responses', repeated(rawMessage)],
  4: ['total', uint64],
})
const blockRequest = message<{ height: bigint; page: PageRequest | undefined }>({
  1: ['height', int64],
  2: ['page', nested(pageRequest)],
})
type BlockAnswer = {
  txs: readonly Uint8Array[]
  id: Uint8Array
  block: Uint8Array
  page: PageResponse | undefined
}
const blockAnswer = message<BlockAnswer>({
  1: ['txs', repeated(rawMessage)],
  2: ['id', rawMessage],
  3: ['block', rawMessage],
  4: ['page', nested(pageResponse)],
})

const defaultLimit = 100n
const orders = ['', 'asc', 'desc'] as const
const encodeRequest = message<{ tx: Uint8Array | undefined }>({ 1: ['tx', presentBytes] })
type TxParts = {
  body: Uint8Array | undefined
  authInfo: Uint8Array | undefined
  signatures: readonly Uint8Array[]
}
const txParts = message<TxParts>({
  1: ['body', presentBytes],
  2: ['authInfo', presentBytes],
  3: ['signatures', repeated(bytes)],
})
const ofBytes = message<{ bytes: Uint8Array }>({ 1: ['bytes', bytes] })

export const txServiceQueries: ChainMethods = {
  [`${service}GetTx`]: (context, data) => {
    const { text: hash } = ofText.decode(data)
    if (hash === '') throw invalidArgument('tx hash cannot be empty')
    const wanted = readGoHex(hash)
    if (typeof wanted === 'string') throw new PlainQueryError(wanted)
    const found = servicesOf(context).txByHash(wanted)
    if (found === undefined) throw notFound(`tx not found: ${hash}`)
    return oneTx.encode({ tx: found.tx, response: responseOf(found) })
  },
  [`${service}GetTxsEvent`]: (context, data) => {
    const { total, txs } = search(context, data)
    return eventsAnswer.encode({
      txs: txs.map(({ tx }) => tx),
      responses: txs.map(responseOf),
      total: BigInt(total),
    })
  },
  [`${service}GetBlockWithTxs`]: (context, data) => {
    const { height, page } = blockRequest.decode(data)
    if (height < 1n || height > context.latestHeight) {
      throw sdkError(
        'invalidHeight',
        `requested height ${height} but height must not be less than ` +
          `1 or greater than the current height ${context.latestHeight}`,
      )
    }
    const { id, block, txs } = servicesOf(context).blockAt(height)
    return blockAnswer.encode({
      txs: pageOfBlock(txs, page),
      id,
      block,
      page: { nextKey: new Uint8Array(0), total: BigInt(txs.length) },
    })
  },
  [`${service}TxEncode`]: (_context, data) => {
    const { tx } = encodeRequest.decode(data)
    if (tx === undefined) throw invalidArgument('invalid empty tx')
    const { body, authInfo, signatures } = txParts.decode(tx)
    if (body === undefined || authInfo === undefined) {
      throw new GoPanic(nilPointer)
    }
    return ofBytes.encode({ bytes: TxRaw.encode({ bodyBytes: body, authInfoBytes: authInfo, signatures }) })
  },
  [`${service}TxEncodeAmino`]: (_context, data) => {
    const { text: json } = ofText.decode(data)
    if (json === '') throw invalidArgument('invalid empty tx json')
    return ofBytes.encode({ bytes: inAmino(() => aminoBinaryOf(json)) })
  },
  [`${service}TxDecodeAmino`]: (_context, data) => {
    const { bytes: binary } = ofBytes.decode(data)
    if (binary.length === 0) throw invalidArgument('invalid empty tx bytes')
    return ofText.encode({ text: inAmino(() => aminoJsonOf(binary)) })
  },
  [`${service}TxDecode`]: (_context, data) => {
    const { bytes: tx } = ofBytes.decode(data)
    if (tx.length === 0) throw invalidArgument('invalid empty tx bytes')
    checkDecodes(tx)
    return itemResponse(tx)
  },
}

/**
 * Returns the result of `make`. Its errors become plain errors, because Go's codec has no error
 * codes.
 */
function inAmino<Made>(make: () => Made): Made {
  try {
    return make()
  } catch (error) {
    throw isExpected(error) ? new PlainQueryError(error.message) : error
  }
}

function search(context: QueryContext, data: Uint8Array) {
  const { order, page, limit, query } = eventsRequest.decode(data)
  try {
    if (query === '') throw new PlainQueryError('query cannot be empty')
    // As in Go, a number above the largest int64 wraps to a negative one.
    const signed = BigInt.asIntN(64, page)
    return servicesOf(context).txsOf(query, {
      page: signed <= 0n ? 1n : signed,
      limit: limit === 0n ? defaultLimit : limit,
      order: orders[order] ?? '',
    })
  } catch (error) {
    if (!isExpected(error)) throw error
    const why = error.message
    const isOfSearch = query !== '' && !/^height \d+ is not available/.test(why)
    throw statusError('Internal', isOfSearch ? `failed to search for txs: ${why}` : why)
  }
}

/**
 * Returns a page of a block's transactions. As on the node, a page without a limit is empty, and a
 * reverse page omits the first transaction.
 */
function pageOfBlock(txs: readonly Uint8Array[], page: PageRequest | undefined): readonly Uint8Array[] {
  const { offset, limit, reverse } = page ?? { offset: 0n, limit: defaultLimit, reverse: false }
  // The node reserves room for the whole page; with a little less it runs out of memory.
  if (limit > 2n ** 45n) throw new GoPanic('runtime error: makeslice: cap out of range')
  if (offset >= BigInt(txs.length) && txs.length > 0) {
    throw sdkError(
      'invalidRequest',
      `out of range: cannot paginate ${txs.length} txs with offset ${offset} and limit ${limit}`,
    )
  }
  if (!reverse) return txs.slice(Number(offset), Number(offset + limit))
  return txs
    .slice(1, Number(offset) + 1)
    .toReversed()
    .slice(0, Number(limit))
}

/** Returns the response with a transaction, whose raw and decoded forms have the same bytes. */
function responseOf({ height, time, hash, tx, result }: FoundTx): Uint8Array {
  const { codespace, code, log, info, gasWanted, gasUsed } = result
  return txResponse.encode({
    height,
    hash: upperHexOf(hash),
    codespace,
    code,
    info,
    gasWanted,
    gasUsed,
    rawLog: log,
    data: upperHexOf(result.data ?? new Uint8Array(0)),
    tx: anyMessage.encode({ typeUrl: '/cosmos.tx.v1beta1.Tx', value: tx }),
    timestamp: formatTime({ seconds: time.seconds, nanos: 0 }),
    events: result.events.map((each) => event.encode(each)),
  })
}
