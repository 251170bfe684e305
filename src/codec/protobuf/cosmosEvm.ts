import { bool, bytes, int64, message, nested, repeated, text, uint32, uint64 } from './message.ts'

/*
 * Messages of Cosmos EVM v0.5.0 (cosmos.evm.*) and the SDK's TxMsgData. Field numbers:
 * cosmos-evm-rpc.md §4.1 and §9.2, the rest from the module's proto files.
 */

export const typeUrls = {
  msgEthereumTx: '/cosmos.evm.vm.v1.MsgEthereumTx',
  msgEthereumTxResponse: '/cosmos.evm.vm.v1.MsgEthereumTxResponse',
  extensionOptionsEthereumTx: '/cosmos.evm.vm.v1.ExtensionOptionsEthereumTx',
  extensionOptionDynamicFeeTx: '/cosmos.evm.ante.v1.ExtensionOptionDynamicFeeTx',
  ethSecp256k1: '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey',
} as const

export type ProtoAny = { typeUrl: string; value: Uint8Array }
export type MsgEthereumTx = { from: Uint8Array; raw: Uint8Array }
export type EvmLogProto = {
  address: string
  topics: readonly string[]
  data: Uint8Array
  blockNumber: bigint
  txHash: string
  txIndex: bigint
  blockHash: string
  index: bigint
  removed: boolean
  blockTimestamp: bigint
}
export type MsgEthereumTxResponse = {
  hash: string
  logs: readonly (EvmLogProto | undefined)[]
  ret: Uint8Array
  vmError: string
  gasUsed: bigint
  maxUsedGas: bigint
  blockHash: Uint8Array
  blockTimestamp: bigint
}
export type TxMsgData = {
  data: readonly (ProtoAny | undefined)[]
  msgResponses: readonly (ProtoAny | undefined)[]
}
export type AccessControlType = { accessType: number; accessControlList: readonly string[] }
export type AccessControl = {
  create: AccessControlType | undefined
  call: AccessControlType | undefined
}
export type VmParams = {
  evmDenom: string
  extraEips: readonly bigint[]
  evmChannels: readonly string[]
  accessControl: AccessControl | undefined
  activeStaticPrecompiles: readonly string[]
  historyServeWindow: bigint
  extendedDenomOptions: { extendedDenom: string } | undefined
}
/**
 * `baseFee`, `minGasPrice` and `minGasMultiplier` are decimals with 18 places, as digits
 * (LegacyDec).
 */
export type FeemarketParams = {
  noBaseFee: boolean
  baseFeeChangeDenominator: number
  elasticityMultiplier: number
  enableHeight: bigint
  baseFee: string
  minGasPrice: string
  minGasMultiplier: string
}

const protoAny = message<ProtoAny>({ 1: ['typeUrl', text], 2: ['value', bytes] })
export const msgEthereumTx = message<MsgEthereumTx>({ 5: ['from', bytes], 6: ['raw', bytes] })
export const extensionOptionDynamicFeeTx = message<{ maxPriorityPrice: string }>({
  1: ['maxPriorityPrice', text],
})
export const ethSecp256k1PubKey = message<{ key: Uint8Array }>({ 1: ['key', bytes] })

const evmLog = message<EvmLogProto>({
  1: ['address', text],
  2: ['topics', repeated(text)],
  3: ['data', bytes],
  4: ['blockNumber', uint64],
  5: ['txHash', text],
  6: ['txIndex', uint64],
  7: ['blockHash', text],
  8: ['index', uint64],
  9: ['removed', bool],
  10: ['blockTimestamp', uint64],
})
export const msgEthereumTxResponse = message<MsgEthereumTxResponse>({
  1: ['hash', text],
  2: ['logs', repeated(nested(evmLog))],
  3: ['ret', bytes],
  4: ['vmError', text],
  5: ['gasUsed', uint64],
  6: ['maxUsedGas', uint64],
  7: ['blockHash', bytes],
  8: ['blockTimestamp', uint64],
})
export const txMsgData = message<TxMsgData>({
  1: ['data', repeated(nested(protoAny))], 2: ['msgResponses', repeated(nested(protoAny))],
})

const accessControlType = message<AccessControlType>({
  1: ['accessType', uint32],
  2: ['accessControlList', repeated(text)],
})
const accessControl = message<AccessControl>({
  1: ['create', nested(accessControlType)], 2: ['call', nested(accessControlType)],
})
const extendedDenomOptions = message<{ extendedDenom: string }>({ 1: ['extendedDenom', text] })
export const vmParams = message<VmParams>({
  1: ['evmDenom', text],
  4: ['extraEips', repeated(int64)],
  7: ['evmChannels', repeated(text)],
  8: ['accessControl', nested(accessControl)],
  9: ['activeStaticPrecompiles', repeated(text)],
  10: ['historyServeWindow', uint64],
  11: ['extendedDenomOptions', nested(extendedDenomOptions)],
})
export const feemarketParams = message<FeemarketParams>({
  1: ['noBaseFee', bool],
  2: ['baseFeeChangeDenominator', uint32],
  3: ['elasticityMultiplier', uint32],
  5: ['enableHeight', int64],
  6: ['baseFee', text],
  7: ['minGasPrice', text],
  8: ['minGasMultiplier', text],
})
