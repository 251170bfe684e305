/**
 * Finds the calls of a forked chain that ask about the other chain's history, up to the fork
 * height.
 */
import type { Side } from '../../settings/side.ts'
import { membersOf, type Members } from '../../data/members.ts'
import type { Method, ParamRole } from '../../rpc/method.ts'
import { methodOf } from '../../rpc/sides.ts'
import type { Call } from '../../rpc/transport.ts'

/**
 * The chain that answers a call: ours, the other one, the one that has the hash, or both. `lookUp`
 * is the call whose result names the height of the hash, where the call's own result may not. For
 * `logs` and `fees`, each chain answers a part of the range; `other` are the parameters for the other
 * chain, as JSON text. For `metas`, the other chain has all blocks of the range, but not the latest
 * height. Of a `page` of an account's transactions, each chain may give a part; a transaction that is
 * `sought` in all blocks may be in either. The other one's node may lack the methods for both.
 */
export type HistoryPlace =
  | { readonly kind: 'own' }
  | { readonly kind: 'other' | 'metas' | 'sought' }
  | { readonly kind: 'hash'; readonly hash: string; readonly lookUp?: LookUp }
  | { readonly kind: 'search'; readonly params: Members }
  | { readonly kind: 'logs' | 'fees' | 'page'; readonly other: string }

/** A call of Ethereum JSON-RPC; `params` is JSON text. */
export type LookUp = { readonly method: string; readonly params: string }

const own: HistoryPlace = { kind: 'own' }
const other: HistoryPlace = { kind: 'other' }

/** `height` is the last block of the other chain, `head` the latest block of all. */
export type HistorySite = { readonly height: bigint; readonly head: bigint }

/** Returns which chain answers a call. Ours carries out development controls; the other one's node may lack reads. */
export function historyPlace(side: Side, { name, params }: Call, { height, head }: HistorySite): HistoryPlace {
  const sent =
    params.form === 'uri' ? Object.fromEntries(params.pairs) : parsed(params.form === 'json' ? params.text : '')
  const method = methodOf({ side, method: name })
  if (method === undefined) return own
  if (side === 'comet') return cometPlace(method, sent, height)
  return ethPlace(method, Array.isArray(sent) ? sent : [], { height, head })
}

function ethPlace(method: Method, list: readonly unknown[], { height, head }: HistorySite): HistoryPlace {
  const paramOf = (role: ParamRole) => {
    const at = method.params.findIndex((one) => one.role === role)
    return at < 0 ? undefined : { value: list[at] }
  }
  const hash = paramOf('blockHash') ?? paramOf('txHash')
  if (hash !== undefined) {
    if (typeof hash.value !== 'string' || method.kind === 'action') return own
    return paramOf('txHash') === undefined ? blockPlace(hash.value) : txPlace(hash.value)
  }
  const [block, state, traces] = [paramOf('block'), paramOf('state'), paramOf('traceFilter')]
  if (paramOf('newestBlock') !== undefined) return feesPlace(list, height, head)
  if (block !== undefined) return refPlace(block.value, height)
  if (state !== undefined) return statePlace(state.value, height)
  if (traces !== undefined) return tracesPlace(membersOf(traces.value), height)
  if (paramOf('searchedBefore') !== undefined) return pageBefore(list, height)
  if (paramOf('searchedAfter') !== undefined) return pageAfter(list, height)
  if (paramOf('searchedAccount') !== undefined) return { kind: 'sought' }
  const filter = method.kind === 'query' ? paramOf('filter') : undefined
  return filter === undefined ? own : logsPlace(membersOf(filter.value), height)
}

function cometPlace(method: Method, sent: unknown, height: bigint): HistoryPlace {
  const params = named(
    sent,
    method.params.map(({ name }) => name),
  )
  const last = (role: ParamRole) => method.params.findLast((one) => one.role === role)?.name
  const hash = last('blockHash') ?? last('txHash')
  const [block, newest] = [last('block'), last('newestBlock')]
  if (hash !== undefined) return { kind: 'hash', hash: String(params[hash] ?? '') }
  if (method.kind === 'query' && last('query') !== undefined) return { kind: 'search', params }
  if (newest !== undefined) return isBelow(numberOf(params[newest]), height) === own ? own : { kind: 'metas' }
  return block === undefined ? own : isBelow(numberOf(params[block]), height)
}

function txPlace(hash: string): HistoryPlace {
  return { kind: 'hash', hash, lookUp: { method: 'eth_getTransactionByHash', params: JSON.stringify([hash]) } }
}

function blockPlace(hash: string): HistoryPlace {
  return { kind: 'hash', hash, lookUp: { method: 'eth_getBlockByHash', params: JSON.stringify([hash, false]) } }
}

/** Height 0 means the latest block, which is ours. */
function isBelow(asked: bigint | undefined, height: bigint): HistoryPlace {
  return asked !== undefined && asked > 0n && asked <= height ? other : own
}

function refPlace(ref: unknown, height: bigint): HistoryPlace {
  if (isLowest(ref)) return other
  if (typeof ref === 'object' && ref !== null) {
    const { blockHash, blockNumber } = membersOf(ref)
    return typeof blockHash === 'string' ? blockPlace(blockHash) : refPlace(blockNumber, height)
  }
  if (typeof ref === 'string' && ref.length === 66) return blockPlace(ref)
  return isBelow(numberOf(ref), height)
}

/** A state at block 0 or `earliest` is not history. */
function statePlace(ref: unknown, height: bigint): HistoryPlace {
  return isLowest(membersOf(ref)['blockNumber'] ?? ref) ? own : refPlace(ref, height)
}

function isLowest(ref: unknown): boolean {
  return ref === 'earliest' || numberOf(ref) === 0n
}

function logsPlace(filter: Members, height: bigint): HistoryPlace {
  const { blockHash, fromBlock, toBlock } = filter
  if (typeof blockHash === 'string') return blockPlace(blockHash)
  const from = isLowest(fromBlock) ? 0n : numberOf(fromBlock)
  if (from === undefined || from > height) return own
  const to = isLowest(toBlock) ? 0n : numberOf(toBlock)
  if (to !== undefined && to <= height) return other
  return { kind: 'logs', other: JSON.stringify([{ ...filter, toBlock: `0x${height.toString(16)}` }]) }
}

/** The other chain is asked for all traces that may be on the page, and our chain counts them. */
function tracesPlace({ after = 0, count, ...filter }: Members, height: bigint): HistoryPlace {
  const place = logsPlace(filter, height)
  if (place.kind !== 'logs') return place
  const [skipped, most] = [numberOf(after), numberOf(count)]
  if (skipped === undefined || most === undefined) return place
  return { ...place, other: place.other.replace(/\}\]$/, `,"count":${skipped + most}}]`) }
}

/** Block 0 means the latest block, which is ours. */
function pageBefore([account, block, ...rest]: readonly unknown[], height: bigint): HistoryPlace {
  const [asked, most] = [numberOf(block), height + 1n]
  if (asked === undefined) return own
  const before = asked === 0n || asked > most ? most : asked
  return { kind: 'page', other: JSON.stringify([account, Number(before), ...rest]) }
}

function pageAfter(params: readonly unknown[], height: bigint): HistoryPlace {
  const asked = numberOf(params[1])
  return asked === undefined || asked >= height ? own : { kind: 'page', other: JSON.stringify(params) }
}

function feesPlace([count, newest, ...rest]: readonly unknown[], height: bigint, head: bigint): HistoryPlace {
  if (isLowest(newest)) return other
  const [most, last] = [numberOf(count) ?? 0n, numberOf(newest) ?? head]
  if (last <= height) return isBelow(last, height)
  const ours = last - height
  if (most <= ours || last > head) return own
  const asked = [most - ours, height].map((number) => `0x${number.toString(16)}`)
  return { kind: 'fees', other: JSON.stringify([...asked, ...rest]) }
}

/** Parses a JSON number, a hex string, or a decimal string with or without quotation marks. */
function numberOf(value: unknown): bigint | undefined {
  const text = String(value ?? '').replaceAll('"', '')
  return /^(?:0x[0-9a-f]{1,16}|\d{1,19})$/i.test(text) ? BigInt(text) : undefined
}

function named(sent: unknown, names: readonly string[]): Members {
  if (!Array.isArray(sent)) return membersOf(sent)
  return Object.fromEntries(sent.map((value: unknown, index) => [names[index] ?? String(index), value]))
}

function parsed(text: string): unknown {
  try {
    return text === '' ? [] : JSON.parse(text)
  } catch {
    return []
  }
}
