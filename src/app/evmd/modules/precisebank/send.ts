/**
 * The EVM's access to the bank (cosmos/evm x/precisebank). With 18 decimals there are no fractional
 * balances, so it adds only its events.
 */
import { equalBytes } from '../../../../data/bytes.ts'
import { accountText, evmModule } from '../../address.ts'
import { emit, type Context } from '../../context.ts'
import { coinsText, type Coin } from '../../coins.ts'
import { getAccount, hasAccount, moduleAccount } from '../auth/accounts.ts'
import { addSupply, getBalance, getSupply, setBalance, setSupply } from '../bank/balances.ts'
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
  if (transfer.coins.length === 0 || equalBytes(transfer.from, transfer.to)) return
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

/**
 * Mints the EVM's coin to an account other than the EVM's module account, through that account.
 * Without gas, the steps that cancel each other out are left out; the events stay.
 */
export function mintTo(context: Context, to: Uint8Array, coin: Coin): void {
  if (!skipsSteps(context, to)) {
    mintOther(context, 'evm', coin)
    emitFraction(context, evmModule)
    return sendPrecise(context, { from: evmModule, to, coins: [coin] })
  }
  passThroughModule(context, coin.denom)
  addSupply(context, coin)
  addTo(context, to, coin)
  const [account, module, text] = [accountText(to), accountText(evmModule), coinsText([coin])]
  emit(context, 'coin_received', { receiver: module, amount: text })
  emit(context, 'coinbase', { minter: module, amount: text })
  emit(context, 'fractional_balance_change', { address: module, delta: '0' })
  emitSent(context, { from: module, to: account, text })
}

/** Burns the EVM's coin of an account, through the EVM's module account, as `mintTo` mints it. */
export function burnFrom(context: Context, from: Uint8Array, coin: Coin): void {
  if (!skipsSteps(context, from)) {
    // Otherwise the first transfer would create an account that is no module's.
    moduleAccount(context, 'evm')
    sendPrecise(context, { from, to: evmModule, coins: [coin] })
    burnOther(context, 'evm', coin)
    return emitFraction(context, evmModule)
  }
  const { denom, amount } = coin
  addTo(context, from, { denom, amount: -amount })
  passThroughModule(context, denom)
  setSupply(context, { denom, amount: getSupply(context, denom) - amount })
  const [account, module, text] = [accountText(from), accountText(evmModule), coinsText([coin])]
  emitSent(context, { from: account, to: module, text })
  emit(context, 'coin_spent', { spender: module, amount: text })
  emit(context, 'burn', { burner: module, amount: text })
  emit(context, 'fractional_balance_change', { address: module, delta: '0' })
}

/**
 * Returns whether no gas is charged, both accounts exist and no coins of the account are locked. Only
 * then do the steps leave nothing else behind.
 */
function skipsSteps(context: Context, address: Uint8Array): boolean {
  const { draft } = context
  if (context.store !== draft.raw || draft.base.forked !== undefined || equalBytes(address, evmModule)) return false
  const account = getAccount(context, address)
  return account !== undefined && account.vesting === undefined && hasAccount(context, evmModule)
}

/** The module's balance stays, but if it is not zero, it has been written. */
function passThroughModule(context: Context, denom: string): void {
  const amount = getBalance(context, evmModule, denom)
  if (amount !== 0n) setBalance(context, evmModule, { denom, amount })
}

function addTo(context: Context, address: Uint8Array, { denom, amount }: Coin): void {
  setBalance(context, address, { denom, amount: getBalance(context, address, denom) + amount })
}

/** Emits the events of a transfer between two accounts in bech32. */
function emitSent(context: Context, { from, to, text }: { from: string; to: string; text: string }): void {
  emit(context, 'coin_spent', { spender: from, amount: text })
  emit(context, 'coin_received', { receiver: to, amount: text })
  emit(context, 'transfer', { recipient: to, sender: from, amount: text })
  emit(context, 'message', { sender: from })
  emit(context, 'fractional_balance_change', { address: from, delta: '0' })
  emit(context, 'fractional_balance_change', { address: to, delta: '0' })
}

function emitFraction(context: Context, address: Uint8Array): void {
  emit(context, 'fractional_balance_change', { address: accountText(address), delta: '0' })
}
