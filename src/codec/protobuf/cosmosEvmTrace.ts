/**
 * Requests of traces and the chain configuration, of cosmos.evm.vm.v1.Query (cosmos-evm-rpc.md
 * §9.2).
 */
import type { Time } from '../../data/time.ts'
import { timestamp } from './comet.ts'
import { msgEthereumTx, type MsgEthereumTx } from './cosmosEvm.ts'
import { bool, bytes, int32, int64, message, nested, repeated, text, uint64 } from './message.ts'

/** `tracerJsonConfig` is what tracers other than the struct logger take, as JSON. */
export type TraceConfigProto = {
  tracer: string
  disableStack: boolean
  disableStorage: boolean
  limit: number
  enableMemory: boolean
  enableReturnData: boolean
  tracerJsonConfig: string
}

/** Where a trace is to be: `blockMaxGas` and the chain id are the chain's own and not looked at. */
export type TracePlace = {
  traceConfig: TraceConfigProto | undefined
  blockNumber: bigint
  blockTime: Time | undefined
  proposerAddress: Uint8Array
}

const traceConfig = message<TraceConfigProto>({
  1: ['tracer', text], 5: ['disableStack', bool], 6: ['disableStorage', bool], 9: ['limit', int32],
  11: ['enableMemory', bool], 12: ['enableReturnData', bool], 13: ['tracerJsonConfig', text],
})

export const traceTxRequest = message<TracePlace & {
  msg: MsgEthereumTx | undefined
  predecessors: readonly (MsgEthereumTx | undefined)[]
}>({
  1: ['msg', nested(msgEthereumTx)], 3: ['traceConfig', nested(traceConfig)],
  4: ['predecessors', repeated(nested(msgEthereumTx))], 5: ['blockNumber', int64],
  7: ['blockTime', nested(timestamp)], 8: ['proposerAddress', bytes],
})

export const traceBlockRequest = message<TracePlace & {
  txs: readonly (MsgEthereumTx | undefined)[],
}>({
  1: ['txs', repeated(nested(msgEthereumTx))], 3: ['traceConfig', nested(traceConfig)],
  5: ['blockNumber', int64], 7: ['blockTime', nested(timestamp)], 8: ['proposerAddress', bytes],
})

/** `args` is the JSON of `eth_call`'s first parameter. */
export const traceCallRequest = message<TracePlace & { args: Uint8Array; gasCap: bigint }>({
  1: ['args', bytes], 2: ['gasCap', uint64], 3: ['proposerAddress', bytes],
  4: ['traceConfig', nested(traceConfig)], 5: ['blockNumber', int64],
  7: ['blockTime', nested(timestamp)],
})

export const traceResponse = message<{ data: Uint8Array }>({ 1: ['data', bytes] })

/** Heights and times as decimal texts; a fork that is not planned is ''. */
export type ChainConfigProto = {
  homesteadBlock: string
  daoForkBlock: string
  daoForkSupport: boolean
  eip150Block: string
  eip155Block: string
  eip158Block: string
  byzantiumBlock: string
  constantinopleBlock: string
  petersburgBlock: string
  istanbulBlock: string
  muirGlacierBlock: string
  berlinBlock: string
  londonBlock: string
  arrowGlacierBlock: string
  grayGlacierBlock: string
  mergeNetsplitBlock: string
  chainId: bigint
  denom: string
  decimals: bigint
  shanghaiTime: string
  cancunTime: string
  pragueTime: string
  verkleTime: string
  osakaTime: string
}

const chainConfig = message<ChainConfigProto>({
  1: ['homesteadBlock', text], 2: ['daoForkBlock', text], 3: ['daoForkSupport', bool],
  4: ['eip150Block', text], 6: ['eip155Block', text], 7: ['eip158Block', text],
  8: ['byzantiumBlock', text], 9: ['constantinopleBlock', text], 10: ['petersburgBlock', text],
  11: ['istanbulBlock', text], 12: ['muirGlacierBlock', text], 13: ['berlinBlock', text],
  17: ['londonBlock', text], 18: ['arrowGlacierBlock', text], 20: ['grayGlacierBlock', text],
  21: ['mergeNetsplitBlock', text], 24: ['chainId', uint64], 25: ['denom', text],
  26: ['decimals', uint64],
  27: ['shanghaiTime', text], 28: ['cancunTime', text], 29: ['pragueTime', text],
  30: ['verkleTime', text], 31: ['osakaTime', text],
})

export const chainConfigResponse = message<{
  config: ChainConfigProto | undefined,
}>({ 1: ['config', nested(chainConfig)] })
