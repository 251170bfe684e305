/** The EVM's coin: its names and its unit, in the store `evm` (x/vm coin_info.go, types/scaling.go). */
import { message, text, uint32 } from '../../codec/protobuf/message.ts'
import { remembered } from '../../data/remembered.ts'
import type { EvmCoin } from '../evmCoin.ts'
import { type Context, withFreeStores } from './context.ts'
import { storeKey } from './storeKeys.ts'

/** The coin as stored: its denominations, and how many decimals its display unit has. */
export type CoinInfo = {
  denom: string
  extendedDenom: string
  displayDenom: string
  decimals: number
}

const coinInfoMessage = message<CoinInfo>({
  1: ['denom', text],
  2: ['extendedDenom', text],
  3: ['displayDenom', text],
  4: ['decimals', uint32],
})

const coinInfoKey = storeKey(5)
const noBytes = new Uint8Array(0)

const coinOf = remembered((stored: Uint8Array): EvmCoin => {
  const { denom, extendedDenom, decimals } = coinInfoMessage.decode(stored)
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
export function setCoinInfo(context: Context, info: CoinInfo): void {
  context.store('evm').set(coinInfoKey, coinInfoMessage.encode(info))
}
