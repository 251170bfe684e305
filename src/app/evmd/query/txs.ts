/** /cosmos.tx.v1beta1.Service, but for Simulate and BroadcastTx: transactions that are included. */
import { readGoHex } from '../../../codec/base64.ts'
import { upperHexOf } from '../../../codec/comet.ts'
import { event } from '../../../codec/protobuf/comet.ts'
import {
  bytes, int64, message, nested, repeated, text, uint32, uint64,
} from '../../../codec/protobuf/message.ts'
import { formatTime } from '../../../codec/time.ts'
import type { FoundTx, QueryContext } from '../../application.ts'
import { sdkError, TxError } from '../txError.ts'
import { ofText, rawMessage } from './answer.ts'
import { blockOf } from './blocks.ts'
import { type PageRequest, pageRequest, type PageResponse, pageResponse } from './page.ts'
import { invalidArgument, notFound } from './status.ts'

type Method = (context: QueryContext, data: Uint8Array) => Uint8Array

const service = '/cosmos.tx.v1beta1.Service/'
const anyMessage = message<{ typeUrl: string; value: Uint8Array }>({
  1: ['typeUrl', text], 2: ['value', bytes],
})
type TxResponse = {
  height: bigint; hash: string; codespace: string; code: number; data: string; rawLog: string
  info: string; gasWanted: bigint; gasUsed: bigint; tx: Uint8Array; timestamp: string
  events: readonly Uint8Array[]
}
const txResponse = message<TxResponse>({
  1: ['height', int64], 2: ['hash', text], 3: ['codespace', text], 4: ['code', uint32],
  5: ['data', text], 6: ['rawLog', text], 8: ['info', text], 9: ['gasWanted', int64],
  10: ['gasUsed', int64], 11: ['tx', rawMessage], 12: ['timestamp', text],
  13: ['events', repeated(rawMessage)],
})
const oneTx = message<{ tx: Uint8Array; response: Uint8Array }>({
  1: ['tx', rawMessage], 2: ['response', rawMessage],
})
type EventsRequest = {
  events: readonly string[]; order: number; page: bigint; limit: bigint; query: string
}
const eventsRequest = message<EventsRequest>({
  1: ['events', repeated(text)], 3: ['order', uint32], 4: ['page', uint64], 5: ['limit', uint64],
  6: ['query', text],
})
type EventsAnswer = {
  txs: readonly Uint8Array[]; responses: readonly Uint8Array[]; total: bigint
}
const eventsAnswer = message<EventsAnswer>({
  1: ['txs', repeated(rawMessage)], 2: ['responses', repeated(rawMessage)], 4: ['total', uint64],
})
const blockRequest = message<{ height: bigint; page: PageRequest | undefined }>({
  1: ['height', int64], 2: ['page', nested(pageRequest)],
})
type BlockAnswer = {
  txs: readonly Uint8Array[]; id: Uint8Array; block: Uint8Array; page: PageResponse | undefined
}
const blockAnswer = message<BlockAnswer>({
  1: ['txs', repeated(rawMessage)], 2: ['id', rawMessage], 3: ['block', rawMessage],
  4: ['page', nested(pageResponse)],
})

const mostTxs = 100n

export const txServiceQueries: Readonly<Record<string, Method>> = {
  [`${service}GetTx`]: ({ services }, data) => {
    const { text: hash } = ofText.decode(data)
    if (hash === '') throw invalidArgument('tx hash cannot be empty')
    const wanted = readGoHex(hash)
    if (typeof wanted === 'string') throw new Error(wanted)
    const found = services?.txByHash(wanted)
    if (found === undefined) throw notFound(`tx not found: ${hash}`)
    return oneTx.encode({ tx: found.tx, response: responseOf(found) })
  },
  [`${service}GetTxsEvent`]: ({ services }, data) => {
    const { events, order, page, limit, query } = eventsRequest.decode(data)
    const text = events.length > 0 ? events.join(' AND ') : query
    if (text === '') throw new Error('query cannot be empty')
    const all = services?.txsOf(text) ?? []
    const sorted = order === 2 ? all.toReversed() : all
    const size = limit === 0n || limit > mostTxs ? mostTxs : limit
    const at = page === 0n ? 1n : page
    const pages = all.length === 0 ? 1n : (BigInt(all.length) + size - 1n) / size
    if (at > pages) throw new Error(`page should be within [1, ${pages}] range, given ${at}`)
    const shown = sorted.slice(Number((at - 1n) * size), Number(at * size))
    return eventsAnswer.encode({
      txs: shown.map(({ tx }) => tx), responses: shown.map(responseOf), total: BigInt(all.length),
    })
  },
  [`${service}GetBlockWithTxs`]: (context, data) => {
    const { height, page } = blockRequest.decode(data)
    if (height < 1n || height > context.latestHeight) {
      throw new TxError(`requested height ${height} but height must not be less than 1 or greater `
        + `than the current height ${context.latestHeight}: invalid height`, {
        code: 26, codespace: 'sdk',
      })
    }
    const { id, block, txs } = blockOf(context, height)
    const offset = page?.offset ?? 0n
    const limit = page === undefined || page.limit === 0n ? mostTxs : page.limit
    const total = BigInt(txs.length)
    if (offset >= total && total > 0n) {
      throw sdkError('invalidRequest',
        `out of range: cannot paginate ${total} txs with offset ${offset} and limit ${limit}`)
    }
    return blockAnswer.encode({
      txs: txs.slice(Number(offset), Number(offset + limit)), id, block,
      page: { nextKey: new Uint8Array(0), total },
    })
  },
}

/** A transaction's raw form and its decoded one are the same bytes. */
function responseOf({ height, time, hash, tx, result }: FoundTx): Uint8Array {
  const { codespace, code, log, info, gasWanted, gasUsed } = result
  return txResponse.encode({
    height, hash: upperHexOf(hash), codespace, code, info, gasWanted, gasUsed, rawLog: log,
    data: upperHexOf(result.data ?? new Uint8Array(0)),
    tx: anyMessage.encode({ typeUrl: '/cosmos.tx.v1beta1.Tx', value: tx }),
    timestamp: formatTime({ seconds: time.seconds, nanos: 0 }),
    events: result.events.map((each) => event.encode(each)),
  })
}
