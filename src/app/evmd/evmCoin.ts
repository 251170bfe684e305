/** The EVM's coin: its names and its unit, in the store `evm` (x/vm coin_info.go, types/scaling.go). */
import { type EvmCoinInfo, evmCoinInfo } from '../../codec/messages/cosmosEvm.ts'
import { remembered } from '../../data/remembered.ts'
import type { EvmCoin } from '../evmCoin.ts'
import { type Context, withFreeStores } from './context.ts'
import { storeKey } from './storeKeys.ts'

const coinInfoKey = storeKey(5)
const noBytes = new Uint8Array(0)

const coinOf = remembered((stored: Uint8Array): EvmCoin => {
  const { denom, extendedDenom, decimals } = evmCoinInfo.decode(stored)
  return { denom, extendedDenom, decimals, factor: 10n ** BigInt(18 - decimals) }
})

/** Returns the EVM's coin, at the gas of one read. */
export function readEvmCoin(context: Context): EvmCoin {
  return coinOf(context.store('evm').get(coinInfoKey) ?? noBytes)
}

/** Returns the EVM's coin, without gas: the node keeps it in memory. */
export function evmCoin(context: Context): EvmCoin {
  return readEvmCoin(withFreeStores(context))
}

/** Stores the EVM's coin. */
export function setCoinInfo(context: Context, info: EvmCoinInfo): void {
  context.store('evm').set(coinInfoKey, evmCoinInfo.encode(info))
}
