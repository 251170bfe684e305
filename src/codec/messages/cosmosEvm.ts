/** Codecs and types of Cosmos EVM messages, and the SDK's TxMsgData (cosmos-evm-rpc.md §4.1). */
import { codecOf } from '../schema/codecs.ts'
import type { MessageTypes } from '../schema/messageTypes.ts'

export const typeUrls = {
  msgEthereumTx: '/cosmos.evm.vm.v1.MsgEthereumTx',
  msgEthereumTxResponse: '/cosmos.evm.vm.v1.MsgEthereumTxResponse',
  extensionOptionsEthereumTx: '/cosmos.evm.vm.v1.ExtensionOptionsEthereumTx',
  extensionOptionDynamicFeeTx: '/cosmos.evm.ante.v1.ExtensionOptionDynamicFeeTx',
  ethSecp256k1: '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey',
} as const

export type MsgEthereumTx = MessageTypes['cosmos.evm.vm.v1.MsgEthereumTx']
export const msgEthereumTx = codecOf('cosmos.evm.vm.v1.MsgEthereumTx')
export const msgEthereumTxResponse = codecOf('cosmos.evm.vm.v1.MsgEthereumTxResponse')
export const extensionOptionDynamicFeeTx = codecOf('cosmos.evm.ante.v1.ExtensionOptionDynamicFeeTx')
export const ethSecp256k1PubKey = codecOf('cosmos.evm.crypto.v1.ethsecp256k1.PubKey')
export const txMsgData = codecOf('cosmos.base.abci.v1beta1.TxMsgData')

export type MsgEthereumTxResponse = MessageTypes['cosmos.evm.vm.v1.MsgEthereumTxResponse']
const encodedNow = new WeakMap<Uint8Array, readonly MsgEthereumTxResponse[]>()

/** Returns the TxMsgData of an Ethereum message, and keeps its response for the first reader. */
export function encodeEthereumResponse(response: MsgEthereumTxResponse): Uint8Array {
  const value = msgEthereumTxResponse.encode(response)
  const data = txMsgData.encode({ msgResponses: [{ typeUrl: typeUrls.msgEthereumTxResponse, value }] })
  encodedNow.set(data, [response])
  return data
}

/**
 * Returns the responses of a transaction's Ethereum messages, given its TxMsgData. The block that
 * holds it is its first reader and decodes nothing.
 */
export function ethereumResponses(data: Uint8Array): readonly MsgEthereumTxResponse[] {
  const known = encodedNow.get(data)
  encodedNow.delete(data)
  if (known !== undefined) return known
  return txMsgData
    .decode(data)
    .msgResponses.flatMap((any) => (any === undefined ? [] : [msgEthereumTxResponse.decode(any.value)]))
}
export type VmParams = MessageTypes['cosmos.evm.vm.v1.Params']
export const vmParams = codecOf('cosmos.evm.vm.v1.Params')
/** The coin as stored: its denominations, and how many decimals its display unit has. */
export type EvmCoinInfo = MessageTypes['cosmos.evm.vm.v1.EvmCoinInfo']
export const evmCoinInfo = codecOf('cosmos.evm.vm.v1.EvmCoinInfo')
/**
 * `baseFee`, `minGasPrice` and `minGasMultiplier` are LegacyDec values: digits of a decimal with 18
 * decimal places.
 */
export type FeemarketParams = MessageTypes['cosmos.evm.feemarket.v1.Params']
export const feemarketParams = codecOf('cosmos.evm.feemarket.v1.Params')

/** `args` and `overrides` are JSON, as in the parameters of `eth_call`. */
export type EthCallRequest = MessageTypes['cosmos.evm.vm.v1.EthCallRequest']
export const ethCallRequest = codecOf('cosmos.evm.vm.v1.EthCallRequest')
export const byAddress = codecOf('cosmos.evm.vm.v1.QueryAccountRequest')
export const byConsAddress = codecOf('cosmos.evm.vm.v1.QueryValidatorAccountRequest')
export const vmAccount = codecOf('cosmos.evm.vm.v1.QueryAccountResponse')
export const cosmosAccount = codecOf('cosmos.evm.vm.v1.QueryCosmosAccountResponse')
export const validatorAccount = codecOf('cosmos.evm.vm.v1.QueryValidatorAccountResponse')
export const vmBalance = codecOf('cosmos.evm.vm.v1.QueryBalanceResponse')
export const vmStorageRequest = codecOf('cosmos.evm.vm.v1.QueryStorageRequest')
export const vmStorage = codecOf('cosmos.evm.vm.v1.QueryStorageResponse')
export const vmCode = codecOf('cosmos.evm.vm.v1.QueryCodeResponse')
export const vmParamsResponse = codecOf('cosmos.evm.vm.v1.QueryParamsResponse')
export const estimateGasResponse = codecOf('cosmos.evm.vm.v1.EstimateGasResponse')
export const vmBaseFeeResponse = codecOf('cosmos.evm.vm.v1.QueryBaseFeeResponse')
export const baseFeeResponse = codecOf('cosmos.evm.feemarket.v1.QueryBaseFeeResponse')
export const minGasPriceResponse = codecOf('cosmos.evm.vm.v1.QueryGlobalMinGasPriceResponse')
export const feemarketParamsResponse = codecOf('cosmos.evm.feemarket.v1.QueryParamsResponse')
export const blockGasResponse = codecOf('cosmos.evm.feemarket.v1.QueryBlockGasResponse')

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
