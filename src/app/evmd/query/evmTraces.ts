/** Traces and the chain configuration, of /cosmos.evm.vm.v1.Query (cosmos-evm-rpc.md §9.2). */
import {
  chainConfigResponse, traceBlockRequest, traceCallRequest, traceResponse, traceTxRequest,
  type TracePlace,
} from '../../../codec/protobuf/cosmosEvmTrace.ts'
import type { MsgEthereumTx } from '../../../codec/protobuf/cosmosEvm.ts'
import { SimError, thrownText } from '../../../errors.ts'
import type { EthereumTrace, RecoveredTx } from '../../ethereumView.ts'
import { createDraft } from '../../draft.ts'
import { newContext, type Context } from '../context.ts'
import { recoverTx } from '../ethereum/recover.ts'
import { traceCall } from '../ethereum/trace.ts'
import { getEvmParams } from '../modules/evm/store.ts'
import type { Methods } from './answer.ts'
import { callIn } from './evmCalls.ts'
import { invalidArgument, statusError } from './status.ts'

const vm = '/cosmos.evm.vm.v1.Query/'
const always = '0'

export const evmTraceQueries: Methods = {
  [`${vm}TraceTx`]: (context, data) => {
    const asked = traceTxRequest.decode(data)
    const [call, ...before] = [asked.msg, ...asked.predecessors].map(txIn)
    if (call === undefined) throw invalidArgument('empty request')
    return answerOf(traced(context, asked, { call, before }))
  },
  [`${vm}TraceBlock`]: (context, data) => {
    const asked = traceBlockRequest.decode(data)
    const txs = asked.txs.map(txIn)
    return answerOf(`[${txs.map((call, index) =>
      resultOf(() => traced(context, asked, { call, before: txs.slice(0, index) }))).join(',')}]`)
  },
  [`${vm}TraceCall`]: (context, data) => {
    const { args, gasCap, ...asked } = traceCallRequest.decode(data)
    return answerOf(
      traced(context, asked, { call: callIn(blockOf(context, asked), args, gasCap), before: [] })
    )
  },
  [`${vm}Config`]: (context) => chainConfigResponse.encode({
    config: {
      homesteadBlock: always, daoForkBlock: always, daoForkSupport: true, eip150Block: always,
      eip155Block: always,
      eip158Block: always, byzantiumBlock: always, constantinopleBlock: always,
      petersburgBlock: always,
      istanbulBlock: always, muirGlacierBlock: always, berlinBlock: always, londonBlock: always,
      arrowGlacierBlock: always, grayGlacierBlock: always, mergeNetsplitBlock: always,
      chainId: context.fixed.evmChainId, denom: getEvmParams(context).evmDenom, decimals: 18n,
      shanghaiTime: always, cancunTime: always, pragueTime: always, verkleTime: '', osakaTime: '',
    },
  }),
}

function txIn(msg: MsgEthereumTx | undefined): RecoveredTx {
  try {
    return recoverTx(msg?.raw ?? new Uint8Array(0))
  } catch (error) {
    throw error instanceof SimError ? invalidArgument(error.message) : error
  }
}

/** Each trace has the state that was asked for under it: one leaves nothing for the next. */
function traced(
  context: Context, asked: TracePlace, run: Pick<EthereumTrace, 'call' | 'before'>,
): string {
  const block = blockOf(context, asked)
  const own =
    newContext({ ...context, block, draft: createDraft(context.draft.base), mode: 'query' })
  try {
    return traceCall(
      own,
      { ...run, context: block, tracer: asked.traceConfig?.tracer ?? '', config: configOf(asked) }
    )
  } catch (error) {
    throw error instanceof SimError ? statusError('Internal', error.message) : error
  }
}

function blockOf(
  { block }: Context, { blockNumber, blockTime, proposerAddress }: TracePlace,
): Context['block'] {
  return {
    ...block, height: blockNumber > 0n ? blockNumber : block.height,
    ...(blockTime !== undefined && { timeSeconds: blockTime.seconds, timeNanos: blockTime.nanos }),
    ...(proposerAddress.length > 0 && { proposerAddress }),
  }
}

function configOf({ traceConfig }: TracePlace): string {
  if (traceConfig === undefined) return ''
  const {
    tracer, tracerJsonConfig, disableStack, disableStorage, enableMemory, enableReturnData, limit,
  } = traceConfig
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

function resultOf(trace: () => string): string {
  try {
    return `{"result":${trace()}}`
  } catch (error) {
    return `{"error":${JSON.stringify(thrownText(error))}}`
  }
}

function answerOf(json: string): Uint8Array {
  return traceResponse.encode({ data: new TextEncoder().encode(json) })
}
