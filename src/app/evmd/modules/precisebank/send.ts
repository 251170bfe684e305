/**
 * The EVM's access to the bank (cosmos/evm x/precisebank). With 18 decimals there are no fractional
 * balances, so it adds only its events.
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
 * Returns the spendable balance of the EVM's coin. The node also adds a fractional balance, which
 * is always 0 with 18 decimals.
 */
export function getPreciseSpendable(context: Context, address: Uint8Array, denom: string): bigint {
  const spendable = getSpendable(context, address, denom)
  context.store('precisebank').get(storeKey(fractionPrefix, address))
  return spendable
}

/** Moves the EVM's coin between two accounts. A transfer to the same account does nothing. */
export function sendPrecise(context: Context, transfer: Transfer): void {
  if (equalBytes(transfer.from, transfer.to)) return
  sendCoins(context, transfer)
  emitFraction(context, transfer.from)
  emitFraction(context, transfer.to)
}

/** Mints a coin other than the EVM's to a module account, which is looked up twice. */
export function mintOther(context: Context, module: string, coin: Coin): void {
  moduleAccount(context, module)
  mintCoins(context, module, [coin])
}

/** Burns a coin other than the EVM's of a module account, which is looked up twice. */
export function burnOther(context: Context, module: string, coin: Coin): void {
  moduleAccount(context, module)
  burnCoins(context, module, [coin])
}

/** Mints the EVM's coin to a module account. */
export function mintPrecise(context: Context, module: string, coin: Coin): void {
  mintOther(context, module, coin)
  emitFraction(context, moduleAddress(module))
}

/** Burns the EVM's coin of a module account. */
export function burnPrecise(context: Context, module: string, coin: Coin): void {
  burnOther(context, module, coin)
  emitFraction(context, moduleAddress(module))
}

function emitFraction(context: Context, address: Uint8Array): void {
  emit(context, 'fractional_balance_change', { address: accountText(address), delta: '0' })
}
