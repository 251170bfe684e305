/**
 * Simulates messages in sequence, each on the state after the one before: `eth_simulateV1` of the
 * execution APIs and `eth_callMany` of Erigon. The node has neither (`peers.md` §2.1).
 */
import type { BlockOverride, CallBlock, StateOverride } from '../../app/ethereumView.ts'
import type { AppState } from '../../app/state.ts'
import { latestBlock } from '../../chain/view.ts'
import { blockNumberOrHash, type BlockRef } from '../../codec/blockRef.ts'
import { array, bool, object, optional, type Codec } from '../../codec/codec.ts'
import type { Json } from '../../codec/goJson.ts'
import type { PlainObject } from '../../codec/goJsonWrite.ts'
import { hexOf, quantityOf } from '../../codec/hex.ts'
import { keccak256 } from '../../crypto/hash.ts'
import type { EvmResult } from '../../evm/types.ts'
import { callOf, failureText } from '../eth/calls.ts'
import { aboveHead, codes, invalidParams } from '../eth/errors.ts'
import { blockOf, ethereumOf, stateOf } from '../eth/lookup.ts'
import { blockOverride, rawOverrides, stateOverrides } from '../eth/overrides.ts'
import { latest, stateParam } from '../eth/params.ts'
import { revertText } from '../eth/revert.ts'
import { txArgs, type TxArgs } from '../../app/txArgs.ts'
import { owner } from '../exampleCalls.ts'
import { param, type Context, type Method } from '../method.ts'
import { question } from './control.ts'
import { whole } from './integers.ts'

type Wanted = {
  readonly blockOverrides: BlockOverride | undefined
  readonly stateOverrides: Json | undefined
  readonly calls: readonly TxArgs[] | undefined
}

const wanted: Codec<Wanted> = object<Wanted>(
  {
    blockOverrides: blockOverride,
    stateOverrides: rawOverrides,
    calls: optional(array(txArgs, '[]TransactionArgs')),
  },
  { goType: 'simBlock' },
)

type Options = {
  readonly blockStateCalls: readonly Wanted[]
  readonly traceTransfers: boolean | undefined
  readonly validation: boolean | undefined
  readonly returnFullTransactions: boolean | undefined
}

const options: Codec<Options> = object<Options>(
  {
    blockStateCalls: array(wanted, '[]simBlock'),
    traceTransfers: optional(bool),
    validation: optional(bool),
    returnFullTransactions: optional(bool),
  },
  { goType: 'simOpts' },
)

type Bundle = {
  readonly transactions: readonly TxArgs[]
  readonly blockOverride: BlockOverride | undefined
}

const bundle: Codec<Bundle> = object<Bundle>(
  {
    transactions: array(txArgs, '[]TransactionArgs'),
    blockOverride,
  },
  { goType: 'Bundle' },
)

type BundlePlace = {
  readonly blockNumber: BlockRef | undefined
  readonly transactionIndex: bigint | undefined
}

const place: Codec<BundlePlace> = object<BundlePlace>(
  {
    blockNumber: optional(blockNumberOrHash),
    transactionIndex: optional(whole('transactions')),
  },
  { goType: 'StateContext' },
)

export const simulating: readonly Method[] = [
  ...question({
    names: ['eth_simulateV1'],
    summary: 'Executes calls in simulated blocks, one after another, without changing the state.',
    params: [param('options', options), stateParam],
    examples: [[{ blockStateCalls: [{ calls: [{ from: owner, to: owner }] }] }, 'latest']],
    read: simulate,
  }),
  ...question({
    names: ['eth_callMany'],
    summary: 'Executes bundles of calls, one after another, and returns the output of each without changing the state.',
    params: [
      param('bundles', array(bundle, '[]Bundle')),
      param('context', optional(place), undefined),
      param('overrides', rawOverrides, undefined),
    ],
    examples: [[[{ transactions: [{ from: owner, to: owner }] }], { blockNumber: 'latest' }]],
    read: callMany,
  }),
]

function simulate(
  context: Context,
  [{ blockStateCalls, traceTransfers, validation }, at]: readonly [Options, BlockRef],
): readonly PlainObject[] {
  if (traceTransfers === true)
    throw invalidParams('expected traceTransfers to be false: chainstage does not support it')
  if (validation === true) throw invalidParams('expected validation to be false: chainstage does not support it')
  const state = stateOf(context, at, aboveHead.header)
  let parent = startOf(context, state, at)
  const made = blockStateCalls.map((one) => {
    parent = nextBlock(parent, one.blockOverrides ?? {})
    const overrides = stateOverrides(one.stateOverrides)
    return {
      header: parent,
      ...blockOfCalls(context, state, { args: one.calls ?? [], overrides, header: parent }),
    }
  })
  const results = ethereumOf(context).series(state, made)
  return made.map(({ header }, index) => blockJsonOf(header, results[index] ?? []))
}

type Header = {
  readonly hash: Uint8Array
  readonly parentHash: Uint8Array
  readonly override: BlockOverride & {
    readonly height: bigint
    readonly timestampSeconds: bigint
    readonly gasLimit: bigint
  }
}

function startOf(context: Context, { transient: { header } }: AppState, at: BlockRef): Header {
  const record = blockOf(context, at) ?? latestBlock(context.node.chain)
  return {
    hash: header.hash,
    parentHash: header.hash,
    override: {
      height: header.height,
      timestampSeconds: header.timeSeconds,
      gasLimit: record?.ethereum.gasLimit ?? 0n,
      baseFee: 0n,
      ...(record === undefined ? {} : { coinbase: record.ethereum.miner }),
    },
  }
}

/** A block is one second after the previous one unless its overrides set the time. */
function nextBlock({ hash, override: before }: Header, given: BlockOverride): Header {
  const override = {
    ...before,
    height: before.height + 1n,
    timestampSeconds: before.timestampSeconds + 1n,
    ...given,
  }
  if (override.height <= before.height || override.timestampSeconds <= before.timestampSeconds) {
    throw invalidParams('block numbers and timestamps (in seconds) must increase from block to block')
  }
  const text = `${hexOf(hash)} ${override.height} ${override.timestampSeconds}`
  return { hash: keccak256(new TextEncoder().encode(text)), parentHash: hash, override }
}

type Calls = {
  readonly args: readonly TxArgs[]
  readonly overrides: readonly StateOverride[]
  readonly header: { readonly override: BlockOverride }
}

function blockOfCalls(context: Context, state: AppState, { args, overrides, header }: Calls): CallBlock {
  return {
    overrides,
    calls: args.map((one) => callOf(context, state, { args: one, blockOverride: header.override })),
  }
}

function blockJsonOf(header: Header, results: readonly EvmResult[]): PlainObject {
  const { hash, parentHash, override } = header
  const gasUsed = results.reduce((sum, one) => sum + one.gasUsed, 0n)
  let logIndex = 0
  return {
    number: quantityOf(override.height),
    hash: hexOf(hash),
    parentHash: hexOf(parentHash),
    timestamp: quantityOf(override.timestampSeconds),
    gasLimit: quantityOf(override.gasLimit),
    gasUsed: quantityOf(gasUsed),
    baseFeePerGas: quantityOf(override.baseFee ?? 0n),
    miner: hexOf(override.coinbase ?? new Uint8Array(20)),
    mixHash: hexOf(override.prevRandao ?? new Uint8Array(32)),
    transactions: [],
    calls: results.map((one, index) => ({
      returnData: hexOf(one.output),
      gasUsed: quantityOf(one.gasUsed),
      status: one.status === 'success' ? '0x1' : '0x0',
      logs: (one.status === 'success' ? one.logs : []).map((log) => ({
        address: hexOf(log.address),
        topics: log.topics.map(hexOf),
        data: hexOf(log.data),
        blockNumber: quantityOf(override.height),
        blockHash: hexOf(hash),
        blockTimestamp: quantityOf(override.timestampSeconds),
        transactionHash: null,
        transactionIndex: quantityOf(index),
        logIndex: quantityOf(logIndex++),
        removed: false,
      })),
      ...(one.status === 'success' ? {} : { error: errorOf(one) }),
    })),
  }
}

/** Error code of the execution APIs for a message that failed other than by REVERT. */
const vmError = -32015

function errorOf(result: EvmResult): PlainObject {
  if (result.status !== 'revert') return { code: vmError, message: failureText(result) }
  return { code: codes.reverted, message: revertText(result.output), data: hexOf(result.output) }
}

type Many = readonly [readonly Bundle[], BundlePlace | undefined, Json | undefined]

function callMany(context: Context, [bundles, where, given]: Many): readonly (readonly PlainObject[])[] {
  if (where?.transactionIndex !== undefined) {
    throw invalidParams('expected no transactionIndex: chainstage executes bundles only at the end of a block')
  }
  const state = stateOf(context, where?.blockNumber ?? latest, aboveHead.header)
  const overrides = stateOverrides(given)
  const blocks = bundles.map(({ transactions, blockOverride: override = {} }, index) =>
    blockOfCalls(context, state, { args: transactions, overrides: index === 0 ? overrides : [], header: { override } }),
  )
  return ethereumOf(context)
    .series(state, blocks)
    .map((results) =>
      results.map((one) =>
        one.status === 'success' ? { value: hexOf(one.output) } : { error: String(errorOf(one)['message']) },
      ),
    )
}
