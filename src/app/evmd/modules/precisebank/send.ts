/**
 * The EVM's way to the bank (cosmos/evm x/precisebank). With 18 decimals there are no fractions:
 * what it adds are its events.
 */
import { equalBytes } from '../../../../data/bytes.ts'
import { accountText, moduleAddress } from '../../address.ts'
import { emit, type Context } from '../../context.ts'
import type { Coin } from '../bank/coins.ts'
import { burnCoins, mintCoins, sendCoins, type Transfer } from '../bank/send.ts'

/** Moves the EVM's coin between two accounts; from an account to itself nothing happens at all. */
export function sendPrecise(context: Context, transfer: Transfer): void {
  if (equalBytes(transfer.from, transfer.to)) return
  sendCoins(context, transfer)
  emitFraction(context, transfer.from)
  emitFraction(context, transfer.to)
}

/** Mints coins in the account of a module. */
export function mintPrecise(context: Context, module: string, coin: Coin): void {
  mintCoins(context, module, [coin])
  emitFraction(context, moduleAddress(module))
}

/** Burns coins of the account of a module. */
export function burnPrecise(context: Context, module: string, coin: Coin): void {
  burnCoins(context, module, [coin])
  emitFraction(context, moduleAddress(module))
}

function emitFraction(context: Context, address: Uint8Array): void {
  emit(context, 'fractional_balance_change', { address: accountText(address), delta: '0' })
}
