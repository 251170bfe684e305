/**
 * Moves, mints and burns the EVM's coin in wei (cosmos/evm x/precisebank keeper). An account that lacks wei
 * gives a whole coin to the reserve, and one whose wei make a whole coin gets it from there. With 18 decimals
 * every wei is a whole coin, so only the events of this module remain.
 */
import { equalBytes } from '../../../../data/bytes.ts'
import { accountText, evmModule, reserve } from '../../address.ts'
import { amountOf } from '../../coinSets.ts'
import type { Coin } from '../../coins.ts'
import { emit, type Context } from '../../context.ts'
import { getAccount, hasAccount, moduleAccount } from '../auth/accounts.ts'
import { addSupply, editCoins, getBalance, getSupply, setBalance, setSupply } from '../bank/balances.ts'
import { getSpendable } from '../bank/spendable.ts'
import { burnCoins, mintCoins, sendCoins, sendModuleToModule, TooFewSpendable, type Transfer } from '../bank/send.ts'
import { evmCoin } from '../../evmCoin.ts'
import type { EvmCoin } from '../../../evmCoin.ts'
import { fractionKey, getFraction, getRemainder, setFraction, setRemainder, weiOf } from './fractions.ts'

/** Returns the spendable balance in wei. */
export function getSpendableWei(context: Context, address: Uint8Array, coin: EvmCoin): bigint {
  return weiOf(context, address, coin, getSpendable(context, address, coin.denom))
}

/** Returns the spendable balance in wei, as `getSpendableWei`, at the gas that it costs with any decimals. */
export function readSpendableWei(context: Context, address: Uint8Array, coin: EvmCoin): bigint {
  const spendable = getSpendableWei(context, address, coin)
  if (coin.factor === 1n) context.store('precisebank').get(fractionKey(address))
  return spendable
}

/** Returns the spendable balance of any coin: of the EVM's extended denomination, in wei. */
export function getSpendablePrecise(context: Context, address: Uint8Array, denom: string): bigint {
  const coin = evmCoin(context)
  return denom === coin.extendedDenom ? getSpendableWei(context, address, coin) : getSpendable(context, address, denom)
}

/** Moves coins between two accounts: those of the EVM's extended denomination in wei, others as x/bank does. */
export function sendPrecise(context: Context, { from, to, coins }: Transfer): void {
  const coin = evmCoin(context)
  const others = coins.filter(({ denom }) => denom !== coin.extendedDenom)
  if (others.length > 0) sendCoins(context, { from, to, coins: others })
  const wei = amountOf(coins, coin.extendedDenom)
  if (wei > 0n) sendWei(context, { from, to, wei }, coin)
}

/**
 * Moves wei between two accounts. A transfer to the same account does nothing. Throws the SDK's `insufficient
 * funds`.
 */
export function sendWei(
  context: Context,
  { from, to, wei }: { readonly from: Uint8Array; readonly to: Uint8Array; readonly wei: bigint },
  coin: EvmCoin,
): void {
  const [whole, part] = [wei / coin.factor, wei % coin.factor]
  if (coin.factor > 1n && (equalBytes(from, reserve) || equalBytes(to, reserve))) {
    if (whole > 0n) sendWhole(context, { from, to, coins: [wholeCoins(coin, whole)] }, { wei, coin })
    return
  }
  if (equalBytes(from, to)) return
  const [own, other] = [getFraction(context, from, coin), getFraction(context, to, coin)]
  const lacks = own < part
  const carries = other + part >= coin.factor
  const moved = lacks && carries ? whole + 1n : whole
  if (moved > 0n) sendWhole(context, { from, to, coins: [wholeCoins(coin, moved)] }, { wei, coin })
  const one = [wholeCoins(coin, 1n)]
  if (lacks && !carries) {
    moduleAccount(context, 'precisebank')
    sendWhole(context, { from, to: reserve, coins: one }, { wei, coin })
  }
  if (!lacks && carries) sendCoins(context, { from: reserve, to, coins: one })
  const [left, grown] = [(own - part + coin.factor) % coin.factor, (other + part) % coin.factor]
  setFraction(context, from, coin, left)
  setFraction(context, to, coin, grown)
  emitFraction(context, from, left - own)
  emitFraction(context, to, grown - other)
}

/** Sends whole coins; an error for too few names the wei that the account has and those that were asked for. */
function sendWhole(context: Context, transfer: Transfer, { wei, coin }: { wei: bigint; coin: EvmCoin }): void {
  withWeiNamed(context, transfer.from, { wei, coin }, () => sendCoins(context, transfer))
}

function withWeiNamed(
  context: Context,
  address: Uint8Array,
  { wei, coin }: { wei: bigint; coin: EvmCoin },
  work: () => void,
): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof TooFewSpendable)) throw error
    const { extendedDenom } = coin
    const spendable = getSpendableWei(context, address, coin)
    throw new TooFewSpendable(`spendable balance ${spendable}${extendedDenom} is smaller than ${wei}${extendedDenom}`)
  }
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
 * Mints wei to an account other than the EVM's module account, through that account. Where each wei is a whole
 * coin, and without gas, the steps that cancel each other out are left out; the events stay.
 */
export function mintTo(context: Context, to: Uint8Array, wei: bigint, coin: EvmCoin): void {
  if (!skipsSteps(context, to, coin)) {
    mintWei(context, wei, coin)
    return sendWei(context, { from: evmModule, to, wei }, coin)
  }
  const { denom } = coin
  passThroughModule(context, denom)
  addSupply(context, { denom, amount: wei })
  addTo(context, to, { denom, amount: wei })
  const [account, module, text] = [accountText(context, to), accountText(context, evmModule), `${wei}${denom}`]
  emit(context, 'coin_received', { receiver: module, amount: text })
  emit(context, 'coinbase', { minter: module, amount: text })
  emitFraction(context, evmModule, 0n)
  emitSent(context, { from: module, to: account, text })
}

/** Burns wei of an account, through the EVM's module account, as `mintTo` mints it. */
export function burnFrom(context: Context, from: Uint8Array, wei: bigint, coin: EvmCoin): void {
  if (!skipsSteps(context, from, coin)) {
    // Otherwise the first transfer would create an account that is no module's.
    moduleAccount(context, 'evm')
    sendWei(context, { from, to: evmModule, wei }, coin)
    return burnWei(context, wei, coin)
  }
  const { denom } = coin
  addTo(context, from, { denom, amount: -wei })
  passThroughModule(context, denom)
  setSupply(context, { denom, amount: getSupply(context, denom) - wei })
  const [account, module, text] = [accountText(context, from), accountText(context, evmModule), `${wei}${denom}`]
  emitSent(context, { from: account, to: module, text })
  emit(context, 'coin_spent', { spender: module, amount: text })
  emit(context, 'burn', { burner: module, amount: text })
  emitFraction(context, evmModule, 0n)
}

/**
 * Mints wei to the EVM's module account. Wei beyond whole coins come out of the remainder; if it has too few,
 * one more whole coin is minted, to the account if its wei make one, otherwise to the reserve.
 */
function mintWei(context: Context, wei: bigint, coin: EvmCoin): void {
  moduleAccount(context, 'evm')
  const [own, remainder] = [getFraction(context, evmModule, coin), getRemainder(context, coin)]
  const part = wei % coin.factor
  const carries = own + part >= coin.factor
  const lacks = remainder < part
  const minted = wei / coin.factor + (carries && lacks ? 1n : 0n)
  const one = [wholeCoins(coin, 1n)]
  if (carries && !lacks) sendModuleToModule(context, { from: 'precisebank', to: 'evm', coins: one })
  if (minted > 0n) mintCoins(context, 'evm', [wholeCoins(coin, minted)])
  const grown = (own + part) % coin.factor
  setFraction(context, evmModule, coin, grown)
  if (lacks && !carries) mintCoins(context, 'precisebank', one)
  setRemainder(context, coin, (remainder - part + coin.factor) % coin.factor)
  emitFraction(context, evmModule, grown - own)
}

/**
 * Burns wei of the EVM's module account. Wei beyond whole coins go to the remainder; if it makes a whole coin
 * with them, one more is burned, of the account if it lacked wei, otherwise of the reserve.
 */
function burnWei(context: Context, wei: bigint, coin: EvmCoin): void {
  moduleAccount(context, 'evm')
  const [own, remainder] = [getFraction(context, evmModule, coin), getRemainder(context, coin)]
  const part = wei % coin.factor
  const lacks = own < part
  const overflows = remainder + part >= coin.factor
  const burned = wei / coin.factor + (lacks && overflows ? 1n : 0n)
  const one = [wholeCoins(coin, 1n)]
  withWeiNamed(context, evmModule, { wei, coin }, () => {
    if (lacks && !overflows) sendModuleToModule(context, { from: 'evm', to: 'precisebank', coins: one })
    if (!lacks && overflows) burnCoins(context, 'precisebank', one)
    if (burned > 0n) burnCoins(context, 'evm', [wholeCoins(coin, burned)])
  })
  const left = (own - part + coin.factor) % coin.factor
  setFraction(context, evmModule, coin, left)
  setRemainder(context, coin, (remainder + part) % coin.factor)
  emitFraction(context, evmModule, left - own)
}

/**
 * Returns whether every wei is a whole coin, no gas is charged, both accounts exist and no coins of the account
 * are locked. Only then do the steps leave nothing else behind.
 */
function skipsSteps(context: Context, address: Uint8Array, { factor }: EvmCoin): boolean {
  const { draft } = context
  if (factor !== 1n || context.store !== draft.raw || draft.base.forked !== undefined) return false
  if (equalBytes(address, evmModule)) return false
  const account = getAccount(context, address)
  return account !== undefined && account.vesting === undefined && hasAccount(context, evmModule)
}

/**
 * Sets a balance in wei as an operator does, without events. Fractions, remainder and reserve stay in balance, and
 * the supply follows.
 */
export function setWei(context: Context, address: Uint8Array, coin: EvmCoin, wei: bigint): void {
  const { denom, factor } = coin
  const part = wei % factor
  const left = getRemainder(context, coin) + getFraction(context, address, coin) - part
  const reserved = left < 0n ? 1n : left >= factor ? -1n : 0n
  setFraction(context, address, coin, part)
  setRemainder(context, coin, left + reserved * factor)
  if (reserved !== 0n) editCoins(context, reserve, wholeCoins(coin, getBalance(context, reserve, denom) + reserved))
  editCoins(context, address, wholeCoins(coin, wei / factor))
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

function emitFraction(context: Context, address: Uint8Array, delta: bigint): void {
  emit(context, 'fractional_balance_change', { address: accountText(context, address), delta: delta.toString() })
}

function wholeCoins({ denom }: EvmCoin, amount: bigint): Coin {
  return { denom, amount }
}
