/**
 * Traces in OpenEthereum's form, as Anvil serves them (`peers.md` §2.1): flat lists of frames.
 * Errors have OpenEthereum's texts, and gas is that of the code alone.
 */
import type { EthereumTx, ShownBlock } from '../../chain/block.ts'
import { blockAt } from '../../chain/view.ts'
import { blockNumber, type BlockRef } from '../../codec/blockRef.ts'
import { array, object, optional, text, type Codec } from '../../codec/codec.ts'
import type { Plain, PlainObject } from '../../codec/goJsonWrite.ts'
import { address, hexOf, quantityOf } from '../../codec/hex.ts'
import { invalidParams, serverError } from '../eth/errors.ts'
import { committedState, ethereumOf, heightOfRef, minedBlockOf, minedByHash, notStored } from '../eth/lookup.ts'
import { numberParam, txHashParam } from '../eth/params.ts'
import { plainConfig } from '../eth/traceConfig.ts'
import { blockTraces } from '../eth/tracing.ts'
import { sentTx } from '../exampleCalls.ts'
import { inRole, param, type Context, type Method } from '../method.ts'
import { question } from './control.ts'
import { whole } from './integers.ts'
import { stateDiffOf, type Prestate } from './stateDiff.ts'
import { vmTraceConfig, vmTraceOf } from './vmTrace.ts'

type Filter = {
  readonly fromBlock: BlockRef | undefined
  readonly toBlock: BlockRef | undefined
  readonly fromAddress: readonly Uint8Array[] | undefined
  readonly toAddress: readonly Uint8Array[] | undefined
  readonly mode: string | undefined
  readonly after: bigint | undefined
  readonly count: bigint | undefined
}

const traceCount = whole('traces')

const filter: Codec<Filter> = object<Filter>(
  {
    fromBlock: optional(blockNumber),
    toBlock: optional(blockNumber),
    fromAddress: optional(array(address, '[]common.Address')),
    toAddress: optional(array(address, '[]common.Address')),
    mode: optional(text()),
    after: optional(traceCount),
    count: optional(traceCount),
  },
  { goType: 'TraceFilter' },
)

/** The kinds of traces that a replay can return. */
const kinds = param('kinds', array(text(), '[]string'))

export const traces: readonly Method[] = [
  ...question({
    names: ['trace_transaction'],
    summary: 'Returns the calls of a transaction as a flat list of frames.',
    params: [txHashParam],
    examples: [{ before: sentTx, params: ['$1'] }],
    read: (context, [wanted]) => {
      const mined = minedByHash(context.node.chain, wanted)
      return mined === undefined ? [] : framesIn(context, mined.record, [mined.tx])
    },
  }),
  ...question({
    names: ['trace_block'],
    summary: 'Returns the calls of all transactions in a block as a flat list of frames.',
    params: [numberParam],
    examples: [['latest']],
    read: (context, [ref]) => framesOfBlock(context, storedBlock(context, ref)),
  }),
  ...question({
    names: ['trace_filter'],
    summary:
      'Returns the frames in a range of blocks, filtered by sender and receiver; the default is the latest block.',
    params: [inRole('traceFilter', param('filter', filter))],
    examples: [{ before: sentTx, params: [{ fromBlock: '0x1', toBlock: 'latest' }] }],
    read: (context, [wanted]) => filtered(context, wanted),
  }),
  ...question({
    names: ['trace_replayTransaction'],
    summary: 'Replays a transaction and returns its frames, state changes or instructions.',
    params: [txHashParam, kinds],
    examples: [{ before: sentTx, params: ['$1', ['trace']] }],
    read: (context, [wanted, asked]) => {
      const wantedKinds = kindsIn(asked)
      const mined = minedByHash(context.node.chain, wanted)
      if (mined === undefined) throw serverError(`transaction ${hexOf(wanted)} is not mined`)
      const [traced = mined] = tracesOf(context, mined.record, [mined.tx], wantedKinds)
      return replayOf(context, mined.record, traced)
    },
  }),
  ...question({
    names: ['trace_replayBlockTransactions'],
    summary: 'Replays all transactions in a block, each as trace_replayTransaction does.',
    params: [numberParam, kinds],
    examples: [['latest', ['trace']]],
    read: (context, [ref, asked]) => {
      const wantedKinds = kindsIn(asked)
      const record = storedBlock(context, ref)
      if (record === undefined) return []
      return tracesOf(context, record, record.ethereum.transactions, wantedKinds).map((traced) => ({
        ...replayOf(context, record, traced),
        transactionHash: hexOf(traced.tx.hash),
      }))
    },
  }),
]

/** Returns the block, or undefined above the head. Throws for a block that was pruned or came before a fork. */
function storedBlock(context: Context, ref: BlockRef): ShownBlock | undefined {
  const { chain } = context.node
  const height = heightOfRef(context.node, ref)
  if (height > 0n && height < chain.history.base) throw notStored(chain, height)
  return minedBlockOf(context, ref)
}

/** Returns the wanted kinds, each once. Throws for an unknown one. */
function kindsIn(asked: readonly string[]): readonly Kind[] {
  const other = asked.find((kind) => !Object.hasOwn(configs, kind))
  if (other !== undefined) throw invalidParams(`expected "trace", "stateDiff" or "vmTrace", received "${other}"`)
  return (Object.keys(configs) as Kind[]).filter((kind) => asked.includes(kind))
}

type Frame = PlainObject & {
  readonly action: PlainObject
  readonly result?: PlainObject
}

const own = { ...plainConfig, endsFailed: true }

/** The traces that a replay returns or reads, and their tracers. */
const configs = {
  trace: { ...own, tracer: 'flatCallTracer', config: '{"convertParityErrors":true}' },
  stateDiff: { ...own, tracer: 'prestateTracer', config: '{"diffMode":true}' },
  vmTrace: { ...own, ...vmTraceConfig },
}

type Kind = keyof typeof configs

/** A transaction with its traces of the wanted kinds. */
type TracedTx = Partial<Record<Kind, Plain>> & { readonly tx: EthereumTx }

/** Reruns transactions of a block, which are in its order, and returns their traces of some kinds. */
function tracesOf(
  context: Context,
  record: ShownBlock,
  txs: readonly EthereumTx[],
  kinds: readonly Kind[],
): readonly TracedTx[] {
  const wishes = txs.flatMap((tx) => kinds.map((kind) => ({ tx, config: configs[kind] })))
  // Without wishes, the states of the block are not read: they may be pruned.
  const traces = wishes.length === 0 ? [] : blockTraces(context, record, wishes)
  return txs.map((tx, at) => ({
    tx,
    ...Object.fromEntries(kinds.map((kind, index) => [kind, traces[at * kinds.length + index]?.()])),
  }))
}

function framesOfBlock(context: Context, record: ShownBlock | undefined): Frame[] {
  return record === undefined ? [] : framesIn(context, record, record.ethereum.transactions)
}

function framesIn(context: Context, record: ShownBlock, txs: readonly EthereumTx[]): Frame[] {
  return tracesOf(context, record, txs, ['trace']).flatMap((traced) => framesOf(context, traced))
}

/** Returns the frames in the trace of a transaction. */
function framesOf(context: Context, { tx, trace = [] }: TracedTx): readonly Frame[] {
  const [top, ...inner] = trace as unknown as readonly Frame[]
  if (top === undefined) return []
  const view = ethereumOf(context)
  return [withoutIntrinsic(top, view.intrinsicGas(view.decode(tx.raw).tx)), ...inner]
}

/**
 * Returns the frame without intrinsic gas: the gas of the first frame is that of its code alone.
 */
function withoutIntrinsic(frame: Frame, intrinsic: bigint): Frame {
  const { action, result } = frame
  const less = (gas: Plain | undefined) => {
    const left = BigInt(String(gas)) - intrinsic
    return quantityOf(left < 0n ? 0n : left)
  }
  return {
    ...frame,
    action: { ...action, gas: less(action['gas']) },
    ...(result === undefined ? {} : { result: { ...result, gasUsed: less(result['gasUsed']) } }),
  }
}

function replayOf(context: Context, record: ShownBlock, traced: TracedTx): PlainObject {
  const view = ethereumOf(context)
  const { height } = record.block.header
  const codeOf = (address: Uint8Array) => view.code(committedState(context.node.chain, height), address)
  const { tx, stateDiff, vmTrace } = traced
  return {
    output: hexOf(tx.receipt.output),
    stateDiff: stateDiff === undefined ? null : stateDiffOf(stateDiff as Prestate),
    trace: framesOf(context, traced).map(withoutPlace),
    vmTrace: vmTrace === undefined ? null : vmTraceOf(vmTrace, view.decode(tx.raw).tx.to, codeOf),
  }
}

function withoutPlace(frame: Frame): PlainObject {
  const { blockHash: _1, blockNumber: _2, transactionHash: _3, transactionPosition: _4, ...rest } = frame
  return rest
}

/** Searches as `eth_getLogs` does, within its limits; every frame visited here counts. */
function filtered(context: Context, wanted: Filter): Plain {
  const { node, view } = context
  const { blockRangeCap, logsCap } = node.settings
  const newest: BlockRef = { kind: 'tag', tag: 'latest' }
  const from = heightOfRef(node, wanted.fromBlock ?? newest)
  const last = heightOfRef(node, wanted.toBlock ?? newest)
  const to = last > node.chain.height ? node.chain.height : last
  if (to - from > BigInt(blockRangeCap)) throw serverError(`maximum [from, to] blocks distance: ${blockRangeCap}`)
  const isWanted = matcherOf(wanted)
  const after = Number(wanted.after ?? 0n)
  const end = wanted.count === undefined ? Infinity : after + Number(wanted.count)
  const found = context.other === undefined ? [] : (JSON.parse(context.other) as Frame[])
  let seen = 0
  for (let height = from; height <= to && found.length < end; height += searchedAtOnce) {
    const search = { from: height, to, isWanted, most: end - found.length }
    const some = view === undefined ? searched(context, search) : view.together(() => searched(context, search))
    for (const frame of some.frames) found.push(frame)
    seen += some.seen
    if (seen > logsCap)
      throw serverError(`expected at most ${logsCap} frames in blocks ${from} to ${to}; request fewer blocks`)
  }
  return found.slice(after, end)
}

/** The number of blocks whose frames are kept together: a read that has left the core asks for few of them again. */
const searchedAtOnce = 32n

type Search = {
  readonly from: bigint
  readonly to: bigint
  readonly isWanted: (frame: Frame) => boolean
  /** The number of frames to find. */
  readonly most: number
}

/** Returns wanted frames of the next blocks, and how many frames these have. */
function searched(context: Context, { from, to, isWanted, most }: Search): { frames: readonly Frame[]; seen: number } {
  const frames: Frame[] = []
  let seen = 0
  for (let height = from; height <= to && height < from + searchedAtOnce && frames.length < most; height++) {
    const all = framesOfBlock(context, blockAt(context.node.chain, height))
    for (const frame of all) if (isWanted(frame)) frames.push(frame)
    seen += all.length
  }
  return { frames, seen }
}

/**
 * If both lists are given, one match is enough unless the mode is `intersection` (OpenEthereum).
 */
function matcherOf({ fromAddress, toAddress, mode = 'union' }: Filter): (frame: Frame) => boolean {
  const [from, to] = [setOf(fromAddress), setOf(toAddress)]
  if (mode !== 'union' && mode !== 'intersection')
    throw invalidParams(`expected the mode "union" or "intersection", received "${mode}"`)
  return ({ action, result }) => {
    const isFrom = from.has(String(action['from'] ?? action['address']))
    const isTo = to.has(String(action['to'] ?? action['refundAddress'] ?? result?.['address']))
    if (from.size === 0 || to.size === 0) {
      return (from.size === 0 || isFrom) && (to.size === 0 || isTo)
    }
    return mode === 'union' ? isFrom || isTo : isFrom && isTo
  }
}

function setOf(addresses: readonly Uint8Array[] = []): ReadonlySet<string> {
  return new Set(addresses.map((one) => hexOf(one)))
}
