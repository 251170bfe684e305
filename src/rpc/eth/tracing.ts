/** Traces transactions and messages, step by step or call by call (`cosmos-evm-rpc.md` §2.10). */
import type { EthereumTrace, GasCharge, TraceAfter } from '../../app/ethereumView.ts'
import type { AppState } from '../../app/state.ts'
import type { EthereumTx, ShownBlock } from '../../chain/block.ts'
import { ethHashOf } from '../../chain/ethIds.ts'
import type { BlockRef } from '../../codec/blockRef.ts'
import { outOfRange } from '../../codec/comet.ts'
import { parseJson } from '../../codec/goJson.ts'
import { plainOf, type Plain, sortedMembers } from '../../codec/goJsonWrite.ts'
import { hexOf } from '../../codec/hex.ts'
import { isExpected } from '../../errors.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import { goDurationNanos } from '../../settings/duration.ts'
import { RpcError } from '../errors.ts'
import type { Context } from '../method.ts'
import { callOf } from './calls.ts'
import type { TxArgs } from '../../app/txArgs.ts'
import { aboveHead, grpcText, serverError } from './errors.ts'
import { blockOf, committedState, ethereumOf, stateOf } from './lookup.ts'
import { placedTrace } from './placedTrace.ts'
import { checkLimit, checkTraceConfig, plainConfig, type TraceConfig } from './traceConfig.ts'
import { checkCommitted } from './uncommitted.ts'

/** Returns the trace of a mined transaction, run again after those before it in its block. */
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
  return blockTracer(context, record)(tx, config)
}

/** Traces transactions of a block in block order; each can be traced several times. */
export type BlockTracer = (tx: EthereumTx, config: TraceConfig | undefined) => Plain

/**
 * Returns a tracer for transactions of a block. Each transaction runs once to prepare the later
 * ones.
 */
export function blockTracer(context: Context, record: ShownBlock): BlockTracer {
  const view = ethereumOf(context)
  const { chain, settings } = context.node
  const { height } = record.block.header
  const blockHash = ethHashOf(record)
  let known: { readonly before: AppState; readonly trace: TraceAfter } | undefined
  const open = () => {
    if (height <= chain.history.first) throw serverError('genesis is not traceable')
    const {
      transient: { header },
      folded,
    } = committedState(chain, height)
    const before = committedState(chain, height - 1n)
    const state = folded === undefined ? before : { ...before, edits: folded }
    const txs = record.ethereum.transactions.map(({ raw }) => view.decode(raw))
    return { before, trace: view.tracerAfter(state, header, txs) }
  }
  return (tx, config = plainConfig) => {
    known ??= open()
    const { before, trace } = known
    const charge = hasQuirk(settings, 'trace-charged-gas') ? chargeOf(context, before, tx) : undefined
    const place = { blockHash, transaction: { hash: tx.hash, index: tx.index } }
    const call = view.decode(tx.raw)
    const answer = traced(context, config, (chosen) =>
      trace(tx.index, { call, place, ...chosen, ...(charge && { charge }) }),
    )
    return placedTrace(answer, config.tracer, {
      blockHash: hexOf(blockHash),
      height,
      transactionHash: hexOf(tx.hash),
      position: tx.index,
      charge,
    })
  }
}

/**
 * Returns the gas charge of a transaction; for one that could not be committed, the charge it would
 * have had.
 */
function chargeOf(context: Context, state: AppState, { raw, receipt }: EthereumTx): GasCharge {
  const { gasUsed, isMissing = false } = receipt
  return isMissing ? atLeast(context, state, ethereumOf(context).decode(raw).tx.gasLimit) : { exactly: gasUsed }
}

/** Returns the gas charged for gas used, by gas limit (x/feemarket MinGasMultiplier). */
function atLeast(context: Context, state: AppState, limit: bigint): GasCharge {
  const { minGasMultiplier } = ethereumOf(context).params(state)
  return { atLeast: (limit * minGasMultiplier) / 10n ** 18n }
}

/** Returns the traces of all transactions of a block, or an error for each that fails. */
export function traceRecord(context: Context, record: ShownBlock, config: TraceConfig | undefined): Plain {
  // The node checks the limit once, before the transactions.
  if (record.ethereum.transactions.length > 0) checkLimit(config)
  const trace = blockTracer(context, record)
  return record.ethereum.transactions.map((tx) => {
    try {
      checkCommitted(context, record, tx)
      return { result: trace(tx, config) }
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
    call,
    ...(hasQuirk(context.node.settings, 'trace-call-next-fee') && { before: [] }),
    ...(charge && { charge }),
    ...(record && { place: { blockHash: ethHashOf(record), transaction: undefined } }),
  }
  const answer = traced(context, config, (chosen) => ethereumOf(context).trace(state, { ...trace, ...chosen }))
  return placedTrace(answer, config.tracer, {
    blockHash: record === undefined ? null : hexOf(ethHashOf(record)),
    height: state.height,
    transactionHash: null,
    position: 0,
    charge,
  })
}

type Message = { readonly args: TxArgs; readonly config: TraceConfig | undefined }

/** Options for a tracer; `run` returns the trace as JSON text. */
type Chosen = Pick<EthereumTrace, 'tracer' | 'config' | 'timeoutNanos' | 'endsFailed'>

function traced(context: Context, config: TraceConfig, run: (chosen: Chosen) => string): Plain {
  checkTraceConfig(config)
  const { settings } = context.node
  const { tracer, config: options, timeout, endsFailed = !hasQuirk(settings, 'trace-charged-gas') } = config
  const isSilent = hasQuirk(settings, 'call-trace-without-logs')
  const chosen = isSilent ? options.replace(/"withLog"\s*:\s*true/gi, '"withLog":false') : options
  const json = withStatus(() => run({ tracer, config: chosen, endsFailed, ...timeoutOf(timeout) }))
  // Without any call, a call tracer has no result; the node panics here.
  if (json === '') throw serverError(grpcText('Internal', outOfRange(0, [])))
  const answer = plainOf(parseJson(json))
  return hasQuirk(settings, 'trace-keys-sorted') ? sortedMembers(answer) : answer
}

function timeoutOf(text: string): Pick<Chosen, 'timeoutNanos'> {
  return text === '' ? {} : { timeoutNanos: goDurationNanos(text) }
}

function withStatus(run: () => string): string {
  try {
    return run()
  } catch (error) {
    if (!isExpected(error) || error instanceof RpcError) throw error
    throw serverError(grpcText('Internal', error.message))
  }
}
