/**
 * Which calls of a forked chain are about what the other chain did, up to the height of the fork.
 */
import type { Side } from '../../node/input.ts'
import { membersOf, type Members } from '../../data/members.ts'
import type { Call } from '../../rpc/transport.ts'
import type { Names } from '../playback/callKey.ts'

/**
 * Who answers: our chain, the other one, whichever has the hash, or both of them a part of the
 * range; then `other` and `own` are the parameters for each, as JSON text.
 */
export type HistoryPlace =
  | { readonly kind: 'own' }
  | { readonly kind: 'other' }
  | { readonly kind: 'hash'; readonly hash: string }
  | { readonly kind: 'search'; readonly params: Members }
  | { readonly kind: 'logs' | 'fees'; readonly other: string; readonly own: string }

/**
 * Where methods of interface B name a block by height; of state 0 and `earliest` are no history.
 */
const blockAt: Readonly<Record<string, number>> = {
  eth_getBlockByNumber: 0, eth_getHeaderByNumber: 0, eth_getBlockReceipts: 0,
  eth_getBlockTransactionCountByNumber: 0,
  eth_getTransactionByBlockNumberAndIndex: 0, eth_getUncleByBlockNumberAndIndex: 0,
  debug_traceBlockByNumber: 0,
  debug_getRawBlock: 0, debug_getHeaderRlp: 0, debug_getBlockRlp: 0,
}
const stateAt: Readonly<Record<string, number>> = {
  eth_getBalance: 1, eth_getCode: 1, eth_getTransactionCount: 1, eth_call: 1, eth_estimateGas: 1,
  eth_createAccessList: 1,
  debug_traceCall: 1, eth_getStorageAt: 2, eth_getProof: 2,
}
const byHash = new Set([
  'eth_getBlockByHash', 'eth_getHeaderByHash', 'eth_getBlockTransactionCountByHash',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getTransactionByHash', 'eth_getTransactionReceipt', 'eth_getTransactionLogs',
  'debug_traceTransaction',
  'debug_traceBlockByHash', 'block_by_hash', 'header_by_hash', 'tx',
])
const byHeight = new Set(
  ['block', 'block_results', 'commit', 'validators', 'header', 'consensus_params', 'abci_query']
)

const own: HistoryPlace = { kind: 'own' }
const other: HistoryPlace = { kind: 'other' }

/**
 * `height` is the last one of the other chain, `head` the last one of all; `names` are parameters
 * of interface A.
 */
export type HistorySite = { readonly height: bigint; readonly head: bigint; readonly names: Names }

/** Returns who answers a call. */
export function historyPlace(
  side: Side, { name, params }: Call, { height, head, names }: HistorySite,
): HistoryPlace {
  const sent = params.form === 'uri'
    ? Object.fromEntries(params.pairs)
    : parsed(params.form === 'json' ? params.text : '')
  if (side === 'comet') return cometPlace(name, named(sent, names(name)), height)
  const list = Array.isArray(sent) ? sent : []
  if (name === 'eth_getLogs') return logsPlace(membersOf(list[0]), height)
  if (name === 'eth_feeHistory') return feesPlace(list, height, head)
  if (byHash.has(name)) return typeof list[0] === 'string' ? { kind: 'hash', hash: list[0] } : own
  const [block, state] = [blockAt[name], stateAt[name]]
  const place = block !== undefined
    ? refPlace(list[block], height)
    : state !== undefined
    ? refPlace(list[state], height)
    : own
  return state !== undefined && isLowest(list[state]) ? own : place
}

function cometPlace(name: string, params: Members, height: bigint): HistoryPlace {
  if (byHash.has(name)) return { kind: 'hash', hash: String(params['hash'] ?? '') }
  if (name === 'tx_search' || name === 'block_search') return { kind: 'search', params }
  if (byHeight.has(name)) return isBelow(numberOf(params['height']), height)
  if (name !== 'blockchain') return own
  return isBelow(numberOf(params['maxHeight']), height)
}

/** The node takes height 0 for the newest. */
function isBelow(asked: bigint | undefined, height: bigint): HistoryPlace {
  return asked !== undefined && asked > 0n && asked <= height ? other : own
}

function refPlace(ref: unknown, height: bigint): HistoryPlace {
  if (isLowest(ref)) return other
  if (typeof ref === 'object' && ref !== null) {
    const { blockHash, blockNumber } = membersOf(ref)
    return typeof blockHash === 'string'
      ? { kind: 'hash', hash: blockHash }
      : refPlace(blockNumber, height)
  }
  if (typeof ref === 'string' && ref.length === 66) return { kind: 'hash', hash: ref }
  return isBelow(numberOf(ref), height)
}

function isLowest(ref: unknown): boolean {
  return ref === 'earliest' || numberOf(ref) === 0n
}

function logsPlace(filter: Members, height: bigint): HistoryPlace {
  const { blockHash, fromBlock, toBlock } = filter
  if (typeof blockHash === 'string') return { kind: 'hash', hash: blockHash }
  const from = isLowest(fromBlock) ? 0n : numberOf(fromBlock)
  if (from === undefined || from > height) return own
  const to = isLowest(toBlock) ? 0n : numberOf(toBlock)
  if (to !== undefined && to <= height) return other
  return {
    kind: 'logs',
    other: JSON.stringify([{ ...filter, toBlock: `0x${height.toString(16)}` }]),
    own: JSON.stringify([{ ...filter, fromBlock: `0x${(height + 1n).toString(16)}` }]),
  }
}

function feesPlace(
  [count, newest, ...rest]: readonly unknown[], height: bigint, head: bigint,
): HistoryPlace {
  const [most, last] = [numberOf(count) ?? 0n, numberOf(newest) ?? head]
  if (last <= height) return isBelow(last, height)
  const ours = last - height
  if (most <= ours || last > head) return own
  const asked = (blocks: bigint, at: bigint) =>
    JSON.stringify([`0x${blocks.toString(16)}`, `0x${at.toString(16)}`, ...rest])
  return { kind: 'fees', other: asked(most - ours, height), own: asked(ours, last) }
}

/** Numbers come as numbers, in hex, and in decimal with quotation marks or without. */
function numberOf(value: unknown): bigint | undefined {
  const text = String(value ?? '').replaceAll('"', '')
  return /^(?:0x[0-9a-f]{1,16}|\d{1,19})$/i.test(text) ? BigInt(text) : undefined
}

function named(sent: unknown, names: readonly string[]): Members {
  if (!Array.isArray(sent)) return membersOf(sent)
  return Object.fromEntries(
    sent.map((value: unknown, index) => [names[index] ?? String(index), value])
  )
}

function parsed(text: string): unknown {
  try {
    return text === '' ? [] : JSON.parse(text)
  } catch {
    return []
  }
}
