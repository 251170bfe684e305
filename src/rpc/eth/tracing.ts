/**
 * Traces (`cosmos-evm-rpc.md` §2.10): what a transaction or message did, step by step or call by
 * call.
 */
import type { EthereumTrace, RecoveredTx } from '../../app/ethereumView.ts'
import type { AppState } from '../../app/state.ts'
import type { EthereumTx, ShownBlock } from '../../chain/block.ts'
import { ethHashOf } from '../../chain/ethIds.ts'
import type { BlockRef } from '../../codec/blockRef.ts'
import { parseJson } from '../../codec/goJson.ts'
import { plainOf, type Plain, sortedMembers } from '../../codec/goJsonWrite.ts'
import { hexOf } from '../../codec/hex.ts'
import { isExpected } from '../../errors.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import { RpcError } from '../errors.ts'
import type { Context } from '../method.ts'
import { callOf } from './calls.ts'
import type { TxArgs } from '../../app/txArgs.ts'
import { aboveHead, grpcText, serverError } from './errors.ts'
import { blockOf, committedState, ethereumOf, stateOf } from './lookup.ts'
import { placedTrace } from './placedTrace.ts'
import { checkTraceConfig, plainConfig, type TraceConfig } from './traceConfig.ts'
import { checkCommitted } from './uncommitted.ts'

/** Returns the trace of an included transaction, run again after those before it in its block. */
export function traceMined(
  context: Context,
  {
    record,
    tx,
  }: {
    record: ShownBlock
    tx: EthereumTx
  },
  config: TraceConfig | undefined,
): Plain {
  const view = ethereumOf(context)
  const { height } = record.block.header
  if (height <= context.node.chain.history.first) throw serverError('genesis is not traceable')
  const decode = (each: EthereumTx): RecoveredTx => view.decode(each.raw)
  const {
    transient: { header },
    folded,
  } = committedState(context.node.chain, height)
  const trace = {
    context: header,
    before: record.ethereum.transactions.slice(0, tx.index).map(decode),
    call: decode(tx),
  }
  const chosen = config ?? plainConfig
  const before = committedState(context.node.chain, height - 1n)
  const state = folded === undefined ? before : { ...before, edits: folded }
  const charge = hasQuirk(context.node.settings, 'trace-charged-gas') ? chargeOf(context, before, tx) : undefined
  const transaction = { hash: tx.hash, index: tx.index }
  const place = { blockHash: ethHashOf(record), transaction }
  const answer = traced(context, state, { trace: { ...trace, place, ...(charge && { charge }) }, config: chosen })
  return placedTrace(answer, chosen.tracer, {
    blockHash: hexOf(ethHashOf(record)),
    height,
    transactionHash: hexOf(tx.hash),
    position: tx.index,
    charge,
  })
}

/** What a transaction was charged; one that could not be committed, what it would have been. */
function chargeOf(context: Context, state: AppState, { raw, receipt }: EthereumTx): (used: bigint) => bigint {
  const { gasUsed, isMissing = false } = receipt
  return isMissing ? atLeast(context, state, ethereumOf(context).decode(raw).tx.gasLimit) : () => gasUsed
}

/** Returns what gas is charged for what was used of a limit (x/feemarket MinGasMultiplier). */
function atLeast(context: Context, state: AppState, limit: bigint): (used: bigint) => bigint {
  const { minGasMultiplier } = ethereumOf(context).params(state)
  const least = (limit * minGasMultiplier) / 10n ** 18n
  return (used) => (used > least ? used : least)
}

/** Returns the traces of all transactions of a block; one that fails gives its error. */
export function traceRecord(context: Context, record: ShownBlock, config: TraceConfig | undefined): Plain {
  return record.ethereum.transactions.map((tx) => {
    try {
      checkCommitted(context, record, tx)
      return { result: traceMined(context, { record, tx }, config) }
    } catch (error) {
      if (error instanceof RpcError) return { error: error.message }
      throw error
    }
  })
}

/** Returns the trace of a message on the state after a block. */
export function traceMessage(context: Context, at: BlockRef, { args, config = plainConfig }: Message): Plain {
  const state = stateOf(context, at, aboveHead.comet)
  const call = callOf(context, state, { args })
  const isCharged = hasQuirk(context.node.settings, 'trace-charged-gas')
  const charge = isCharged ? atLeast(context, state, call.tx.gasLimit) : undefined
  const record = blockOf(context, at)
  const trace = {
    context: call.context,
    before: [],
    call,
    ...(charge && { charge }),
    ...(record && { place: { blockHash: ethHashOf(record), transaction: undefined } }),
  }
  const answer = traced(context, state, { trace, config })
  return placedTrace(answer, config.tracer, {
    blockHash: record === undefined ? null : hexOf(ethHashOf(record)),
    height: state.height,
    transactionHash: null,
    position: 0,
    charge,
  })
}

type Message = { readonly args: TxArgs; readonly config: TraceConfig | undefined }

function traced(context: Context, state: AppState, { trace, config }: Traced): Plain {
  const { tracer, config: options } = config
  checkTraceConfig(config)
  const { settings } = context.node
  const isSilent = hasQuirk(settings, 'call-trace-without-logs')
  const chosen = isSilent ? options.replace(/"withLog"\s*:\s*true/g, '"withLog":false') : options
  const json = run(context, state, { ...trace, tracer, config: chosen })
  // A call tracer that saw no call begin has nothing to show; the node trips over that.
  if (json === '') throw serverError(grpcText('Internal', 'runtime error: index out of range [0] with length 0'))
  const answer = plainOf(parseJson(json))
  return hasQuirk(settings, 'trace-keys-sorted') ? sortedMembers(answer) : answer
}

type Traced = {
  readonly trace: Omit<EthereumTrace, 'tracer' | 'config'>
  readonly config: TraceConfig
}

function run(context: Context, state: AppState, trace: EthereumTrace): string {
  try {
    return ethereumOf(context).trace(state, trace)
  } catch (error) {
    if (!isExpected(error) || error instanceof RpcError) throw error
    throw serverError(grpcText('Internal', error.message))
  }
}
