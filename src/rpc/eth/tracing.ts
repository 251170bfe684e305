/** Traces transactions and messages, step by step or call by call (`cosmos-evm-rpc.md` §2.10). */
import { type EthereumTrace, type GasCharge, traceJson } from '../../app/ethereumView.ts'
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
import { callOf, type CallOptions } from './calls.ts'
import type { TxArgs } from '../../app/txArgs.ts'
import { aboveHead, grpcText, serverError } from './errors.ts'
import { blockOf, committedState, editedState, ethereumOf, stateOfRef } from './lookup.ts'
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
  const [trace] = blockTraces(context, record, [{ tx, config }])
  return trace?.() ?? null
}

/** A wanted trace of a transaction. */
export type TraceWish = { readonly tx: EthereumTx; readonly config: TraceConfig | undefined }

/**
 * Returns a function for each wanted trace, which returns it or throws its error. Wishes are in block
 * order, and a transaction may have several. Each transaction runs once to prepare the later ones.
 */
export function blockTraces(
  context: Context,
  record: ShownBlock,
  wishes: readonly TraceWish[],
): readonly (() => Plain)[] {
  const view = ethereumOf(context)
  const { chain, settings } = context.node
  const { height } = record.block.header
  if (height <= chain.history.first) throw serverError('genesis is not traceable')
  const blockHash = ethHashOf(record)
  const isCharged = hasQuirk(settings, 'trace-charged-gas')
  const wanted = wishes.map(({ tx, config = plainConfig }) => {
    return { tx, config, charge: isCharged ? chargeOf(context, height - 1n, tx) : undefined }
  })
  const ends = view.blockTraces(() => {
    return {
      // A block whose state is gone is named before the one below it.
      block: committedState(chain, height).transient.header,
      state: editedState(chain, height - 1n),
      txs: record.ethereum.transactions.map(({ raw }) => view.decode(raw)),
      wanted: wanted.map(({ tx, config, charge }) => ({
        count: tx.index,
        call: view.decode(tx.raw),
        place: { blockHash, transaction: { hash: tx.hash, index: tx.index } },
        ...chosenOf(context, config),
        ...(charge && { charge }),
      })),
    }
  })
  return wanted.map(({ tx, config, charge }, at) => () => {
    const answer = answerOf(context, () => traceJson(ends[at]))
    return placedTrace(answer, config.tracer, {
      blockHash: hexOf(blockHash),
      height,
      transactionHash: hexOf(tx.hash),
      position: tx.index,
      charge,
    })
  })
}

/**
 * Returns the gas charge of a transaction; for one that could not be committed, the charge it would
 * have had.
 */
function chargeOf(context: Context, before: bigint, { raw, receipt }: EthereumTx): GasCharge {
  const { gasUsed, isMissing = false } = receipt
  if (!isMissing) return { exactly: gasUsed }
  return atLeast(context, committedState(context.node.chain, before), ethereumOf(context).decode(raw).tx.gasLimit)
}

/** Returns the gas charged for gas used, by gas limit (x/feemarket MinGasMultiplier). */
function atLeast(context: Context, state: AppState, limit: bigint): GasCharge {
  const { minGasMultiplier } = ethereumOf(context).params(state)
  return { atLeast: (limit * minGasMultiplier) / 10n ** 18n }
}

/**
 * Returns the traces of all transactions of a block, or an error for each that fails, with the transaction's hash
 * as in geth (`eth/tracers/api.go`, `txTraceResult`).
 */
export function traceRecord(context: Context, record: ShownBlock, config: TraceConfig | undefined): Plain {
  const { transactions } = record.ethereum
  // The node checks the limit once, before the transactions.
  if (transactions.length > 0) checkLimit(config)
  const isNamed = !hasQuirk(context.node.settings, 'block-traces-unnamed')
  let traces: readonly (() => Plain)[] | undefined
  return transactions.map((tx, at) => {
    const named = isNamed ? { txHash: hexOf(tx.hash) } : {}
    try {
      checkCommitted(context, record, tx)
      traces ??= blockTraces(
        context,
        record,
        transactions.map((each) => ({ tx: each, config })),
      )
      return { ...named, result: traces[at]?.() ?? null }
    } catch (error) {
      if (error instanceof RpcError) return { ...named, error: error.message }
      throw error
    }
  })
}

/** Returns the trace of a message on the state after a block. */
export function traceMessage(context: Context, at: BlockRef, { config = plainConfig, ...message }: Message): Plain {
  const state = stateOfRef(context, at, aboveHead.comet)
  const call = callOf(context, state, message)
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
  const chosen = chosenOf(context, config)
  const answer = answerOf(context, () => ethereumOf(context).trace(state, { ...trace, ...chosen }))
  return placedTrace(answer, config.tracer, {
    blockHash: record === undefined ? null : hexOf(ethHashOf(record)),
    height: state.height,
    transactionHash: null,
    position: 0,
    charge,
  })
}

type Message = CallOptions & { readonly args: TxArgs; readonly config: TraceConfig | undefined }

/** Options for a tracer. */
type Chosen = Pick<EthereumTrace, 'tracer' | 'config' | 'timeoutNanos' | 'endsFailed'>

function chosenOf({ node: { settings } }: Context, given: TraceConfig): Chosen {
  checkTraceConfig(given)
  const { tracer, config, timeout, endsFailed = !hasQuirk(settings, 'trace-charged-gas') } = given
  const isSilent = hasQuirk(settings, 'call-trace-without-logs')
  return {
    tracer,
    config: isSilent ? config.replace(/"withLog"\s*:\s*true/gi, '"withLog":false') : config,
    endsFailed,
    ...timeoutOf(timeout),
  }
}

/** Returns the answer for a trace, which `run` returns as JSON text. */
function answerOf({ node: { settings } }: Context, run: () => string): Plain {
  const json = withStatus(run)
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
