/**
 * Requests and responses of cosmos.evm.vm.v1.Query and cosmos.evm.feemarket.v1.Query
 * (cosmos-evm-rpc.md §9.2).
 */
import { codecOf } from '../schema/codecs.ts'
import type { MessageTypes } from '../schema/messageTypes.ts'

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
