/** Moves, mints and burns coins, with the SDK's events in its order (x/bank keeper). */
import { accountText, moduleAddress } from '../../address.ts'
import { emit, isChecking, type Context } from '../../context.ts'
import { sdkError, TxError } from '../../txError.ts'
import { createAccount, getAccount, hasAccount, moduleAccount } from '../auth/accounts.ts'
import { addSupply, getBalance, getSupply, setBalance, setSupply } from './balances.ts'
import { amountOf } from '../../coinSets.ts'
import { areValid, type Coin, coinsText } from '../../coins.ts'
import { lockedCoins } from '../auth/vesting.ts'

export type Transfer = {
  readonly from: Uint8Array
  readonly to: Uint8Array
  readonly coins: readonly Coin[]
}

/**
 * Moves coins and creates the receiver's account if it does not exist. Throws the SDK's `invalid
 * coins` or `insufficient funds`.
 */
export function sendCoins(context: Context, { from, to, coins }: Transfer): void {
  if (!areValid(coins)) throw sdkError('invalidCoins', coinsText(coins))
  subtractFrom(context, from, coins)
  addTo(context, to, coins)
  if (isChecking(context)) {
    if (!hasAccount(context, to)) createAccount(context, to)
    return
  }
  const [sender, recipient, amount] = [accountText(context, from), accountText(context, to), coinsText(coins)]
  emit(context, 'coin_spent', { spender: sender, amount })
  emit(context, 'coin_received', { receiver: recipient, amount })
  if (!hasAccount(context, to)) createAccount(context, to)
  emit(context, 'transfer', { recipient, sender, amount })
  emit(context, 'message', { sender })
}

/** Moves coins to a module. As in the SDK, the module account is looked up first. */
export function sendToModule(context: Context, from: Uint8Array, module: string, coins: readonly Coin[]): void {
  const { address } = moduleAccount(context, module)
  sendCoins(context, { from, to: address, coins })
}

/** Moves coins between two module accounts. */
export function sendModuleToModule(
  context: Context,
  { from, to, coins }: { from: string; to: string; coins: readonly Coin[] },
): void {
  sendToModule(context, moduleAddress(from), to, coins)
}

/** Moves coins out of a module account. */
export function sendFromModule(context: Context, module: string, to: Uint8Array, coins: readonly Coin[]): void {
  sendCoins(context, { from: moduleAddress(module), to, coins })
}

/** Subtracts coins from an account's balance. Throws the SDK's `insufficient funds`. */
export function subtractCoins(context: Context, from: Uint8Array, coins: readonly Coin[]): void {
  subtractFrom(context, from, coins)
  emit(context, 'coin_spent', { spender: accountText(context, from), amount: coinsText(coins) })
}

function subtractFrom(context: Context, from: Uint8Array, coins: readonly Coin[]): void {
  const locked = lockedCoins(context, getAccount(context, from)?.vesting)
  for (const { denom, amount } of coins) {
    const balance = getBalance(context, from, denom)
    const spendable = balance - amountOf(locked, denom)
    if (spendable < 0n) {
      throw sdkError(
        'insufficientFunds',
        `locked amount exceeds account balance funds: ${amountOf(locked, denom)}${denom} > ${balance}${denom}`,
      )
    }
    if (spendable < amount) {
      throw new TooFewSpendable(`spendable balance ${spendable}${denom} is smaller than ${amount}${denom}`)
    }
    setBalance(context, from, { denom, amount: balance - amount })
  }
}

/** Adds coins to the balance of an address. */
export function addCoins(context: Context, to: Uint8Array, coins: readonly Coin[]): void {
  addTo(context, to, coins)
  emit(context, 'coin_received', { receiver: accountText(context, to), amount: coinsText(coins) })
}

function addTo(context: Context, to: Uint8Array, coins: readonly Coin[]): void {
  for (const { denom, amount } of coins) {
    setBalance(context, to, { denom, amount: getBalance(context, to, denom) + amount })
  }
}

/** Emits the transfer event. */
export function emitTransfer(context: Context, { from, to, coins }: Transfer): void {
  emit(context, 'transfer', {
    recipient: accountText(context, to),
    sender: accountText(context, from),
    amount: coinsText(coins),
  })
}

/** Mints coins to a module account. */
export function mintCoins(context: Context, module: string, coins: readonly Coin[]): void {
  const { address } = moduleAccount(context, module)
  addCoins(context, address, coins)
  for (const coin of coins) addSupply(context, coin)
  emit(context, 'coinbase', { minter: accountText(context, address), amount: coinsText(coins) })
}

/** Burns coins of a module account. */
export function burnCoins(context: Context, module: string, coins: readonly Coin[]): void {
  const { address } = moduleAccount(context, module)
  subtractCoins(context, address, coins)
  for (const { denom, amount } of coins) {
    setSupply(context, { denom, amount: getSupply(context, denom) - amount })
  }
  emit(context, 'burn', { burner: accountText(context, address), amount: coinsText(coins) })
}

/** An account has fewer spendable coins than it sends. */
export class TooFewSpendable extends TxError {
  constructor(text: string) {
    const { abciCode: code, codespace, parts } = sdkError('insufficientFunds', text)
    super(parts, { code, codespace })
  }
}
