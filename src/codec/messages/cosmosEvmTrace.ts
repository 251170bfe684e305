/**
 * Trace requests and the chain configuration of cosmos.evm.vm.v1.Query (cosmos-evm-rpc.md §9.2).
 */
import { codecOf } from '../schema/codecs.ts'
import type { MessageTypes } from '../schema/messageTypes.ts'

export const traceTxRequest = codecOf('cosmos.evm.vm.v1.QueryTraceTxRequest')
export const traceBlockRequest = codecOf('cosmos.evm.vm.v1.QueryTraceBlockRequest')
/** `args` is JSON, as in the first parameter of `eth_call`. */
export const traceCallRequest = codecOf('cosmos.evm.vm.v1.QueryTraceCallRequest')
export const traceResponse = codecOf('cosmos.evm.vm.v1.QueryTraceTxResponse')

/**
 * The block context of a trace; `blockMaxGas` and the chain ID are ignored in favor of the chain's.
 */
export type TracePlace = Pick<
  MessageTypes['cosmos.evm.vm.v1.QueryTraceTxRequest'],
  'traceConfig' | 'blockNumber' | 'blockTime' | 'proposerAddress'
>

/** Heights and times are decimal strings; an unscheduled fork is ''. */
export const chainConfigResponse = codecOf('cosmos.evm.vm.v1.QueryConfigResponse')
