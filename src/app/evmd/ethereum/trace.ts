/** Traces of messages and transactions in geth's format (cosmos-evm-rpc.md §2.10). */
import { deniedResult } from './permissions.ts'
import { SliceOver } from '../../../evm/run.ts'
import { runsScript, traceMost, tracerOf } from '../../../evm/trace.ts'
import type { EvmResult, EvmTracer } from '../../../evm/types.ts'
import { chargedGas, traceJson } from '../../ethereumView.ts'
import type { BlockTraces, EthereumTrace, RecoveredTx, TraceEnd, Traced } from '../../ethereumView.ts'
import { assert, isExpected } from '../../../errors.ts'
import { grpcCodes, GrpcStatus } from '../../grpcStatus.ts'
import { type Context, newContext } from '../context.ts'
import { anteRelax, readBeforeTx, readForTx, runEthereumTx, vmErrorOf } from '../ethereumTx.ts'
import { evmEnv } from '../modules/evm/env.ts'
import { evmRead } from '../modules/evm/state.ts'
import type { EvmCoin } from '../../evmCoin.ts'
import { evmCoin } from '../evmCoin.ts'
import { enterNextBaseFee } from '../modules/feemarket/baseFee.ts'
import { hostPrecompiles } from '../precompiles/host.ts'
import { getAccount, setAccount } from '../modules/auth/accounts.ts'
import { TxError } from '../txError.ts'
import { hostOptions, limitedTx, surroundingsOf, worded } from './call.ts'

/**
 * Returns the trace of a message or, with `before`, of the last of several transactions, as JSON text.
 * Throws the errors of `blockTraces`.
 */
export function traceCall(context: Context, { before, ...last }: EthereumTrace): string {
  if (before === undefined) return traced(context, last, traceMost)
  return traceJson(blockTraces(context, { txs: before, wanted: [{ count: before.length, ...last }] })[0])
}

/**
 * Returns traces on the state before a block, each after the first `count` of its transactions.
 * A transaction runs once for those after it, without fees, as the node replays it; a trace itself
 * keeps no changes. It ends with `ScriptFailed`, or with `GoPanic` as `Hosted.explain` does. With a
 * slice of gas, throws `SliceOver`; a JavaScript tracer then always does.
 */
export function blockTraces(
  context: Context,
  { txs, wanted, bytesMost = traceMost }: Pick<BlockTraces, 'txs' | 'wanted' | 'bytesMost'>,
): readonly TraceEnd[] {
  const coin = evmCoin(context)
  enterNextBaseFee(context)
  let ran = 0
  let bytesLeft = bytesMost
  return wanted.map(({ count, ...trace }) => {
    assert(count >= ran, 'traces of a block are asked for in its order')
    for (const tx of txs.slice(ran, count)) replay(context, tx, coin)
    ran = count
    const mark = context.draft.mark()
    try {
      const json = traced(context, trace, bytesLeft)
      bytesLeft -= json.length
      return { json }
    } catch (error) {
      if (!isExpected(error)) throw error
      return { error }
    } finally {
      context.draft.cut(mark)
      context.events.length = 0
    }
  })
}

function traced(
  context: Context,
  { call, tracer, config, timeoutNanos, place, charge, endsFailed = false, slice }: Traced,
  bytesMost: number,
): string {
  const named = chosenTracer(tracer, config)
  const chosen = named.name === 'script' && timeoutNanos !== undefined ? { ...named, timeoutNanos } : named
  if (slice !== undefined && runsScript(chosen)) throw new SliceOver()
  const coin = evmCoin(context)
  const isMined = 'hash' in call
  const job = isMined ? recordedJob(context, call, coin) : { ...surroundingsOf(context, call), tx: limitedTx(call) }
  const { host, read, explain } = hostPrecompiles(context, job.read, coin)
  const options = {
    ...{ endsFailed, bytesMost },
    ...(isMined ? { host } : hostOptions(context, host, { overrides: call.overrides })),
    ...(place === undefined ? {} : { place }),
    gasUsed: ({ gasPeak, refund }: EvmResult) => chargedGas(charge, gasPeak - refund),
    ...(slice && { slice }),
  }
  if (job.tx.to === undefined && tracesCalls(chosen) && deniedResult(job.env, job.tx) !== undefined) {
    throw new GrpcStatus(grpcCodes.internal, withoutCalls(chosen))
  }
  const { result, json } = context.fixed.engine.trace({ ...job, read }, chosen, options)
  explain(job.tx, result)
  // A call tracer then has no result; the node panics when it asks for it.
  if (result.status === 'refused' && !tracesCalls(chosen)) {
    throw new GrpcStatus(grpcCodes.internal, vmErrorOf(worded(job.tx, result)))
  }
  return json
}

const callTracers = ['callTracer', 'flatCallTracer', 'erc7562Tracer']

function tracesCalls(tracer: EvmTracer): boolean {
  if (tracer.name === 'muxTracer') return Object.values(tracer.tracers).some(tracesCalls)
  return callTracers.includes(tracer.name)
}

/** Returns the error of a tracer that has heard of no call, as when the node's access lists refuse a creation. */
function withoutCalls({ name }: EvmTracer): string {
  return name === 'flatCallTracer' ? 'invalid number of calls' : 'incorrect number of top-level calls'
}

/** Lets the engine raise the sender's nonce, as the ante chain did. */
const raisingRelax = { ...anteRelax, nonceBump: false } as const

function recordedJob(context: Context, message: RecoveredTx, coin: EvmCoin) {
  const { tx, from } = message
  const read = evmRead(context, coin)
  if (!raisesNonce(context, message))
    return { env: evmEnv(context, anteRelax, from), tx, read: readForTx(read, message) }
  return { env: evmEnv(context, raisingRelax, from), tx, read: readBeforeTx(read, message) }
}

/**
 * Returns whether a trace must raise the sender's nonce first. It matters only to authorizations
 * that the sender signed (EIP-7702); with quirk `trace-nonce-kept` they fail, as on the node.
 */
function raisesNonce({ fixed }: Context, { tx }: RecoveredTx): boolean {
  return tx.authorizations.length > 0 && !fixed.tracesKeepNonce
}

/**
 * Replays a transaction. The ante chain is not replayed, so only contract creations, and
 * transactions with authorizations, raise their sender's sequence. A transaction that could not be
 * committed in its block changes nothing here either.
 */
function replay(context: Context, message: RecoveredTx, coin: EvmCoin): void {
  const mark = context.draft.mark()
  if (raisesNonce(context, message)) raiseSequence(context, message)
  try {
    runEthereumTx(newContext(context, context.counters), {
      message,
      coin,
      price: 0n,
      bytes: new Uint8Array(0),
    })
  } catch (error) {
    if (!(error instanceof TxError)) throw error
    context.draft.cut(mark)
  }
  if (message.tx.to === undefined) raiseSequence(context, message)
}

function raiseSequence(context: Context, { tx, from }: RecoveredTx): void {
  const account = getAccount(context, from)
  if (account !== undefined) setAccount(context, { ...account, sequence: tx.nonce + 1n })
}

function chosenTracer(name: string, config: string): EvmTracer {
  const options: unknown = config === '' ? {} : JSON.parse(config)
  const isObject = typeof options === 'object' && options !== null
  const own = isObject ? Object.fromEntries(Object.entries(options)) : {}
  return tracerOf(name, own, config === '' ? '{}' : config)
}
