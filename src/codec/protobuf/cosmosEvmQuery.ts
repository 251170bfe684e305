import type { FeemarketParams, VmParams } from './cosmosEvm.ts'
import { feemarketParams, vmParams } from './cosmosEvm.ts'
import { bytes, int64, message, nested, text, uint64 } from './message.ts'

/*
 * Requests and answers of cosmos.evm.vm.v1.Query and cosmos.evm.feemarket.v1.Query
 * (cosmos-evm-rpc.md §9.2).
 */

export type ByAddress = { address: string }
export type VmAccount = { balance: string; codeHash: string; nonce: bigint }
export type CosmosAccount = { cosmosAddress: string; sequence: bigint; accountNumber: bigint }
export type ValidatorAccount = { accountAddress: string; sequence: bigint; accountNumber: bigint }
/** `args` and `overrides` are the JSON of `eth_call`'s parameters. */
export type EthCallRequest = {
  args: Uint8Array
  gasCap: bigint
  proposerAddress: Uint8Array
  chainId: bigint
  overrides: Uint8Array
}

export const byAddress = message<ByAddress>({ 1: ['address', text] })
export const byConsAddress = message<{ consAddress: string }>({ 1: ['consAddress', text] })
export const vmAccount = message<VmAccount>({
  1: ['balance', text],
  2: ['codeHash', text],
  3: ['nonce', uint64],
})
export const cosmosAccount = message<CosmosAccount>({
  1: ['cosmosAddress', text], 2: ['sequence', uint64], 3: ['accountNumber', uint64],
})
export const validatorAccount = message<ValidatorAccount>({
  1: ['accountAddress', text], 2: ['sequence', uint64], 3: ['accountNumber', uint64],
})
export const vmBalance = message<{ balance: string }>({ 1: ['balance', text] })
export const vmStorageRequest = message<{ address: string; key: string }>({
  1: ['address', text],
  2: ['key', text],
})
export const vmStorage = message<{ value: string }>({ 1: ['value', text] })
export const vmCode = message<{ code: Uint8Array }>({ 1: ['code', bytes] })
export const vmParamsResponse = message<{ params: VmParams | undefined }>({
  1: ['params', nested(vmParams)],
})
export const ethCallRequest = message<EthCallRequest>({
  1: ['args', bytes],
  2: ['gasCap', uint64],
  3: ['proposerAddress', bytes],
  4: ['chainId', int64],
  5: ['overrides', bytes],
})
export const estimateGasResponse = message<{ gas: bigint; ret: Uint8Array; vmError: string }>({
  1: ['gas', uint64], 2: ['ret', bytes], 3: ['vmError', text],
})
export const baseFeeResponse = message<{ baseFee: string }>({ 1: ['baseFee', text] })
export const minGasPriceResponse = message<{ minGasPrice: string }>({ 1: ['minGasPrice', text] })
export const feemarketParamsResponse = message<{ params: FeemarketParams | undefined }>({
  1: ['params', nested(feemarketParams)],
})
export const blockGasResponse = message<{ gas: bigint }>({ 1: ['gas', int64] })
