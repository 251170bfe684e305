/**
 * Requests of traces and the chain configuration, of cosmos.evm.vm.v1.Query (cosmos-evm-rpc.md
 * §9.2).
 */
import { codecOf } from '../schema/codecs.ts'
import type { MessageTypes } from '../schema/messageTypes.ts'

export const traceTxRequest = codecOf('cosmos.evm.vm.v1.QueryTraceTxRequest')
export const traceBlockRequest = codecOf('cosmos.evm.vm.v1.QueryTraceBlockRequest')
/** `args` is the JSON of `eth_call`'s first parameter. */
export const traceCallRequest = codecOf('cosmos.evm.vm.v1.QueryTraceCallRequest')
export const traceResponse = codecOf('cosmos.evm.vm.v1.QueryTraceTxResponse')

/** Where a trace is to be: `blockMaxGas` and the chain id are the chain's own and not looked at. */
export type TracePlace = Pick<
  MessageTypes['cosmos.evm.vm.v1.QueryTraceTxRequest'],
  'traceConfig' | 'blockNumber' | 'blockTime' | 'proposerAddress'
>

/** Heights and times are decimal texts; a fork that is not planned is ''. */
export const chainConfigResponse = codecOf('cosmos.evm.vm.v1.QueryConfigResponse')
