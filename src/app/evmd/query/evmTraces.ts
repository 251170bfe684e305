/**
 * Queries of /cosmos.evm.vm.v1.Query for traces and the chain configuration (cosmos-evm-rpc.md
 * §9.2).
 */
import {
  type MsgEthereumTx,
  type TracePlace,
  chainConfigResponse,
  traceBlockRequest,
  traceCallRequest,
  traceResponse,
  traceTxRequest,
} from '../../../codec/messages/cosmosEvm.ts'
import { GoPanic, nilPointer } from '../../../codec/comet.ts'
import { isExpected } from '../../../errors.ts'
import { InvalidDuration, goDurationNanos } from '../../../settings/duration.ts'
import { type BlockTraces, type RecoveredTx, type TraceEnd, traceJson } from '../../ethereumView.ts'
import type { Context } from '../context.ts'
import { recoverTx } from '../ethereum/recover.ts'
import { inGethOrder } from '../ethereum/traceOrder.ts'
import { leastCharge } from '../ethereumTx.ts'
import { evmCoin } from '../evmCoin.ts'
import type { Methods } from './answer.ts'
import { argsIn, callIn, checkProposer, noConfig } from './evmCalls.ts'
import { gasMost } from './executions.ts'
import { PlainQueryError, grpcStatusOf, invalidArgument, statusError } from './status.ts'

const vm = '/cosmos.evm.vm.v1.Query/'
const always = '0'

export const evmTraceQueries: Methods = {
  [`${vm}TraceTx`]: (context, data, executions) => {
    const asked = traceTxRequest.decode(data)
    if (asked.msg === undefined) throw invalidArgument('empty request')
    checkPlace(context, asked)
    const call = txIn(asked.msg)
    const before = asked.predecessors.map(txIn)
    const wanted = [wantedOf(context, asked, call, before.length)]
    const [end] = executions.blockTraces({ block: blockOf(context, asked), txs: before, wanted })
    return answerOf(jsonOf(asked, end))
  },
  [`${vm}TraceBlock`]: (context, data, executions) => {
    const asked = traceBlockRequest.decode(data)
    checkLimit(asked)
    checkProposer(context, asked, () => noConfig)
    const txs = asked.txs.map(txIn)
    const results = orEach(txs, () => {
      const wanted = txs.map((call, count) => wantedOf(context, asked, call, count))
      const ends = executions.blockTraces({ block: blockOf(context, asked), txs, wanted })
      return ends.map((end) => orError(() => `{"result":${jsonOf(asked, end)}}`))
    })
    return answerOf(`[${results.join(',')}]`)
  },
  [`${vm}TraceCall`]: (context, data, executions) => {
    const { args, gasCap, ...asked } = traceCallRequest.decode(data)
    if (args.length === 0) throw invalidArgument('empty request')
    checkPlace(context, asked)
    const block = blockOf(context, asked)
    // A trace of more gas would not fit into memory.
    const call = plainRefusal(() => callIn({ ...context, block }, argsIn(args), { gasCap, gasBudget: gasMost }))
    const [end] = executions.blockTraces({ block, txs: [], wanted: [wantedOf(context, asked, call, 0)] })
    return answerOf(jsonOf(asked, end))
  },
  [`${vm}Config`]: (context) =>
    chainConfigResponse.encode({
      config: {
        homesteadBlock: always,
        daoForkBlock: always,
        daoForkSupport: true,
        eip150Block: always,
        eip155Block: always,
        eip158Block: always,
        byzantiumBlock: always,
        constantinopleBlock: always,
        petersburgBlock: always,
        istanbulBlock: always,
        muirGlacierBlock: always,
        berlinBlock: always,
        londonBlock: always,
        arrowGlacierBlock: always,
        grayGlacierBlock: always,
        mergeNetsplitBlock: always,
        chainId: context.fixed.evmChainId,
        denom: evmCoin(context).denom,
        decimals: BigInt(evmCoin(context).decimals),
        shanghaiTime: always,
        cancunTime: always,
        pragueTime: always,
      },
    }),
}

/**
 * Returns the result of `make`. As on the node, its errors become plain errors without a gRPC
 * status (cosmos/evm x/vm grpc_query.go TraceCall).
 */
function plainRefusal<Made>(make: () => Made): Made {
  try {
    return make()
  } catch (error) {
    if (!isExpected(error)) throw error
    throw new PlainQueryError(grpcStatusOf(error).message)
  }
}

/**
 * Returns the transaction in a message. As on the node, a missing message or transaction is a
 * panic.
 */
function txIn(msg: MsgEthereumTx | undefined): RecoveredTx {
  if (msg === undefined || msg.raw.length === 0) throw new GoPanic(nilPointer)
  try {
    return recoverTx(msg.raw)
  } catch (error) {
    throw isExpected(error) ? invalidArgument(error.message) : error
  }
}

type Wanted = BlockTraces['wanted'][number]

/** Returns the trace that a request asks for, of `call` after `count` transactions. */
function wantedOf(context: Context, asked: TracePlace, call: Wanted['call'], count: number): Wanted {
  checkTimeLimit(asked)
  const { tracer = '', timeout = '' } = asked.traceConfig ?? {}
  return {
    count,
    call,
    tracer,
    config: orInternalError(() => configOf(asked)),
    ...(timeout !== '' && { timeoutNanos: goDurationNanos(timeout) }),
    charge: { atLeast: leastCharge(context, call.tx.gasLimit) },
  }
}

function jsonOf({ traceConfig }: TracePlace, end: TraceEnd | undefined): string {
  return inGethOrder(
    orInternalError(() => traceJson(end)),
    traceConfig?.tracer ?? '',
  )
}

function orInternalError<Made>(make: () => Made): Made {
  try {
    return make()
  } catch (error) {
    throw isExpected(error) ? statusError('Internal', error.message) : error
  }
}

/** Throws for a height after the next one, or a proposer that is no validator. */
function checkPlace(context: Context, asked: TracePlace): void {
  checkLimit(asked)
  const { height } = context.block
  if (asked.blockNumber > height + 1n) {
    const most = `must be less than or equal to current height [${height}]`
    throw statusError('FailedPrecondition', `requested height [${asked.blockNumber}] ${most}`)
  }
  checkProposer(context, asked, (why) => `${noConfig}: ${why}`)
}

function blockOf({ block }: Context, { blockNumber, blockTime, proposerAddress }: TracePlace): Context['block'] {
  return {
    ...block,
    height: blockNumber > 0n ? blockNumber : block.height,
    ...(blockTime !== undefined && { timeSeconds: blockTime.seconds, timeNanos: blockTime.nanos }),
    ...(proposerAddress.length > 0 && { proposerAddress }),
  }
}

/** Throws for a limit that the node rejects. A valid one is ignored in favor of chainstage's own. */
function checkLimit({ traceConfig }: TracePlace): void {
  const { limit = 0 } = traceConfig ?? {}
  if (limit < 0) throw invalidArgument(`output limit cannot be negative, got ${limit}`)
}

/** Throws for a time limit that the node rejects. */
function checkTimeLimit({ traceConfig }: TracePlace): void {
  const { timeout = '' } = traceConfig ?? {}
  if (timeout !== '') checkTimeout(timeout)
}

/** No meaningful duration text is longer than this. */
const durationMost = 64

function checkTimeout(text: string): void {
  try {
    if (text.length > durationMost) throw new InvalidDuration(text)
    goDurationNanos(text)
  } catch (error) {
    throw error instanceof InvalidDuration ? invalidArgument(`timeout value: ${error.message}`) : error
  }
}

function configOf({ traceConfig }: TracePlace): string {
  if (traceConfig === undefined) return ''
  const { tracer, tracerJsonConfig, disableStack, disableStorage, enableMemory, enableReturnData, limit } = traceConfig
  if (tracer === '') {
    return JSON.stringify({ disableStack, disableStorage, enableMemory, enableReturnData, limit })
  }
  if (tracerJsonConfig === '') return ''
  try {
    JSON.parse(tracerJsonConfig)
    return tracerJsonConfig
  } catch {
    throw invalidArgument('the tracer config is no JSON')
  }
}

function orError(result: () => string): string {
  try {
    return result()
  } catch (error) {
    return errorText(error)
  }
}

/** Returns the results of a block's transactions. As on the node, an error in the request is that of each. */
function orEach(txs: readonly RecoveredTx[], results: () => readonly string[]): readonly string[] {
  try {
    return results()
  } catch (error) {
    const text = errorText(error)
    return txs.map(() => text)
  }
}

/** Returns the result of a trace that failed. Rethrows a bug. */
function errorText(error: unknown): string {
  if (!isExpected(error)) throw error
  return `{"error":${JSON.stringify(error.message)}}`
}

function answerOf(json: string): Uint8Array {
  return traceResponse.encode({ data: new TextEncoder().encode(json) })
}
