/**
 * Reads HAR 1.2 as raw traffic: JSON-RPC bodies, requests to the REST API, WebSocket frames, and
 * heights from their content.
 */
import { readBase64 } from '../../codec/base64.ts'
import { heightHeader } from '../../rpc/cosmos/height.ts'
import { isRestPath } from '../../rpc/rest/call.ts'
import { BadTraffic } from '../playback/importTap.ts'
import { memberTexts } from '../playback/slice.ts'
import type { TapLine } from '../playback/tapLine.ts'
import type { HarHead } from './toHar.ts'
import { tenths } from '../playback/headTimes.ts'

type Har = {
  readonly log?: {
    readonly entries?: readonly HarEntry[]
    /** Written by `toHar`. */
    readonly _chainstage?: { readonly startsAt?: string; readonly heads?: readonly HarHead[] }
  }
}
type HarEntry = {
  readonly startedDateTime?: string
  readonly time?: number
  readonly request?: {
    readonly method?: string
    readonly url?: string
    readonly headers?: readonly { readonly name?: string; readonly value?: string }[]
    readonly postData?: { readonly text?: string }
  }
  readonly response?: {
    readonly status?: number
    readonly headers?: readonly { readonly name?: string }[]
    readonly content?: { readonly text?: string; readonly encoding?: string }
    /** Written by `toHar`, which leaves response headers out. */
    readonly _isEarly?: boolean
  }
  readonly _webSocketMessages?: readonly {
    readonly type?: string
    readonly time?: number
    readonly data?: string
  }[]
}

/**
 * Returns the exchanges ordered by the time at which they ended. `msOf` parses an ISO time. Throws
 * `BadTraffic`.
 */
export function fromHar(text: string, msOf: (iso: string) => number): readonly TapLine[] {
  let har: Har
  try {
    har = JSON.parse(text) as Har
  } catch (cause) {
    throw new BadTraffic('the file is not valid JSON', cause)
  }
  if (!Array.isArray(har?.log?.entries)) throw new BadTraffic('the file is not a HAR: log.entries is missing')
  const entries = objectsIn(har.log.entries)
  const { _chainstage: ours } = har.log
  const starts = [ours?.startsAt ?? '', ...entries.map(({ startedDateTime = '' }) => startedDateTime)]
    .map(msOf)
    .filter(Number.isFinite)
  const first = starts.reduce((least, one) => Math.min(least, one), Infinity)
  // Entries that `toHar` exported are not client calls, so their connections are negative.
  const sign = ours === undefined ? 1 : -1
  const lines = entries.flatMap((entry, index) => linesOf(entry, { first, conn: sign * (index + 1), msOf }))
  const heads = (ours?.heads ?? []).map(
    ({ height, time }): TapLine => ({ t: tenths(msOf(time) - first), iface: 'a', kind: 'head', conn: 0, height }),
  )
  return [...heads, ...lines].toSorted((a, b) => a.t + (a.ms ?? 0) - b.t - (b.ms ?? 0))
}

type Placed = {
  readonly first: number
  readonly conn: number
  readonly msOf: (iso: string) => number
}

function linesOf(entry: HarEntry, { first, conn, msOf }: Placed): readonly TapLine[] {
  const { request, response, startedDateTime = '', time = 0 } = entry
  const t = timeOr0(msOf(startedDateTime) - first)
  if (Array.isArray(entry._webSocketMessages)) {
    const frames = objectsIn(entry._webSocketMessages).filter(({ data }) => typeof data === 'string')
    const iface = frames.some(({ data = '' }) => /"eth_(?:subscri|unsub)/.test(data)) ? 'b' : 'a'
    return frames.map(
      ({ type, time: seconds = 0, data = '' }): TapLine => ({
        t: timeOr0(seconds * 1000 - first),
        iface,
        kind: type === 'send' ? 'ws-in' : 'ws-out',
        conn,
        text: data,
      }),
    )
  }
  const res = contentOf(response?.content)
  if (res === undefined || !/^\s*[[{]/.test(res)) return []
  const { method = 'GET', url = '/', headers, postData } = request ?? {}
  if (method !== 'GET' && method !== 'POST') return []
  const req = textOf(postData?.text)
  const path = pathOf(textOf(url))
  const isRest = isRestPath(method, path)
  const at = objectsIn(headers).find(({ name }) => textOf(name).toLowerCase() === heightHeader)?.value
  return [
    {
      t,
      ms: tenths(Math.max(0, time)),
      kind: 'http',
      conn,
      method,
      path,
      req,
      res,
      iface: isRest ? 'c' : method === 'GET' || isComet(req) ? 'a' : 'b',
      ...(isRest && at !== undefined ? { at } : {}),
      ...(isRest && isEarly(response, conn < 0) ? { isEarly: true } : {}),
      status: response?.status ?? 200,
    },
  ]
}

/** Returns a time in ms, or the start of the recording if the entry has none. */
function timeOr0(ms: number): number {
  return Number.isFinite(ms) ? tenths(ms) : 0
}

/** Returns whether a service refused the call before its handler ran, which would have named the height. */
function isEarly({ status, headers, _isEarly }: NonNullable<HarEntry['response']> = {}, isOurs: boolean): boolean {
  if (isOurs || status === 200) return _isEarly === true
  const names = objectsIn(headers).map(({ name }) => textOf(name).toLowerCase())
  return names.length > 0 && !names.includes(`grpc-metadata-${heightHeader}`)
}

function contentOf(content: { readonly text?: string; readonly encoding?: string } | undefined): string | undefined {
  if (typeof content?.text !== 'string') return undefined
  if (content.encoding !== 'base64') return content.text
  const bytes = readBase64(content.text)
  return typeof bytes === 'string' ? undefined : new TextDecoder().decode(bytes)
}

/** Returns the objects of a list; foreign programs write null and other values for what they do not know. */
function objectsIn<Item extends object>(list: readonly Item[] | undefined): readonly Item[] {
  return Array.isArray(list) ? list.filter((one) => typeof one === 'object' && one !== null) : []
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function pathOf(url: string): string {
  return /^\w+:\/\/[^/?]*(.*)$/.exec(url)?.[1] ?? url
}

/** Ethereum JSON-RPC methods start with a namespace and an underscore. */
function isComet(body: string): boolean {
  const text = body.trim().replace(/^\[\s*/, '')
  const method = memberTexts(text).get('method') ?? ''
  return !/^"(?:eth|net|web3|debug|txpool|personal|miner|trace|anvil|hardhat|evm|ots|erigon)_/.test(method)
}
