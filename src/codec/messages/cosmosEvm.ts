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
/**
 * `baseFee`, `minGasPrice` and `minGasMultiplier` are LegacyDec values: digits of a decimal with 18
 * decimal places.
 */
export type FeemarketParams = MessageTypes['cosmos.evm.feemarket.v1.Params']
export const feemarketParams = codecOf('cosmos.evm.feemarket.v1.Params')
