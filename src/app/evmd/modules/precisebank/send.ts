/**
 * The EVM's way to the bank (cosmos/evm x/precisebank). With 18 decimals there are no fractions:
 * what it adds are its events.
 */
import { equalBytes } from '../../../../data/bytes.ts'
import { accountText, moduleAddress } from '../../address.ts'
import { emit, type Context } from '../../context.ts'
import type { Coin } from '../../coins.ts'
import { moduleAccount } from '../auth/accounts.ts'
import { getSpendable } from '../bank/spendable.ts'
import { burnCoins, mintCoins, sendCoins, type Transfer } from '../bank/send.ts'
import { storeKey } from '../../storeKeys.ts'

const fractionPrefix = 1

/**
 * Returns how much of the EVM's coin an address may send. The node also looks for a fraction, which
 * there is none of with 18 decimals.
 */
export function getPreciseSpendable(context: Context, address: Uint8Array, denom: string): bigint {
  const spendable = getSpendable(context, address, denom)
  context.store('precisebank').get(storeKey(fractionPrefix, address))
  return spendable
}

/** Moves the EVM's coin between two accounts; from an account to itself nothing happens at all. */
export function sendPrecise(context: Context, transfer: Transfer): void {
  if (equalBytes(transfer.from, transfer.to)) return
  sendCoins(context, transfer)
  emitFraction(context, transfer.from)
  emitFraction(context, transfer.to)
}

/** Mints a coin that is not the EVM's in the account of a module, which is looked up twice. */
export function mintOther(context: Context, module: string, coin: Coin): void {
  moduleAccount(context, module)
  mintCoins(context, module, [coin])
}

/** Burns a coin that is not the EVM's of the account of a module, which is looked up twice. */
export function burnOther(context: Context, module: string, coin: Coin): void {
  moduleAccount(context, module)
  burnCoins(context, module, [coin])
}

/** Mints the EVM's coin in the account of a module. */
export function mintPrecise(context: Context, module: string, coin: Coin): void {
  mintOther(context, module, coin)
  emitFraction(context, moduleAddress(module))
}

/** Burns the EVM's coin of the account of a module. */
export function burnPrecise(context: Context, module: string, coin: Coin): void {
  burnOther(context, module, coin)
  emitFraction(context, moduleAddress(module))
}

function emitFraction(context: Context, address: Uint8Array): void {
  emit(context, 'fractional_balance_change', { address: accountText(address), delta: '0' })
}
