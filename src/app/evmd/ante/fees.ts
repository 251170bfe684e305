/**
 * The fee of a Cosmos transaction: its validity, its minimum and its payer (SDK x/auth/ante,
 * cosmos/evm ante).
 */
import { maxInt64 } from '../../../codec/goIntegers.ts'
import { extensionOptionDynamicFeeTx } from '../../../codec/messages/cosmosEvm.ts'
import { GoPanic } from '../../../codec/comet.ts'
import { goText } from '../../../codec/goText.ts'
import { equalBytes } from '../../../data/bytes.ts'
import { isExpected } from '../../../errors.ts'
import { accountText, type Addressing, addressOf, bech32AddressOf } from '../address.ts'
import { areValid, type Coin, coinsOf, coinsText } from '../coins.ts'
import { amountOf } from '../coinSets.ts'
import { type Context, emit, withFreeStores } from '../context.ts'
import { decimalText, one } from '../decimal.ts'
import { getAccount } from '../modules/auth/accounts.ts'
import { sendToModule } from '../modules/bank/send.ts'
import { getSpendable } from '../modules/bank/spendable.ts'
import { evmCoin } from '../evmCoin.ts'
import { type Parties, useGrant } from '../modules/feegrant/grants.ts'
import type { Params } from '../modules/feemarket/params.ts'
import { signersOf } from '../messages.ts'
import type { DecodedTx } from '../tx/decodeTx.ts'
import { goError, sdkError, TxError } from '../txError.ts'
import { integerOf } from '../wire.ts'

/** Throws for a fee that is invalid whatever the state (types/tx ValidateBasic). */
export function checkFeeItself(at: Addressing, { fee }: DecodedTx): void {
  if (fee.gasLimit > maxInt64) {
    throw sdkError('invalidRequest', `invalid gas supplied; ${fee.gasLimit} > ${maxInt64}`)
  }
  const coins = coinsOf(fee.amount)
  if (coins === undefined) throw sdkError('insufficientFee', 'invalid fee provided: null')
  if (coins.some(({ amount }) => amount < 0n)) {
    throw sdkError('insufficientFee', `invalid fee provided: ${coinsText(coins)}`)
  }
  if (fee.payer !== '') checkPayer(at, fee.payer)
}

function checkPayer(at: Addressing, payer: string): void {
  try {
    bech32AddressOf(at, payer)
  } catch (error) {
    if (!isExpected(error)) throw error
    throw sdkError('invalidAddress', `Invalid fee payer address (${error.message})`)
  }
}

/** The SDK's default coin, which the node does not refuse in a fee, but counts as nothing. */
const otherFeeDenom = 'stake'

/**
 * Throws unless the fee is in the chain's coin and reaches the minimum price
 * (MinGasPriceDecorator).
 */
export function checkMinGasPrice(context: Context, { fee }: DecodedTx, { minGasPrice }: Params): void {
  if (context.mode === 'simulate' || context.mode === 'genesis') return
  const { denom } = evmCoin(context)
  const coins = coinsOf(fee.amount) ?? []
  if (coins.length > 1 || coins.some((coin) => coin.denom !== denom && coin.denom !== otherFeeDenom)) {
    throw goError(`expected only native token ${denom} for fee, but got ${coinsText(coins)}`)
  }
  const [coin] = coins
  const required = (minGasPrice * fee.gasLimit + one - 1n) / one
  if (minGasPrice === 0n || (coin?.denom === denom && coin.amount >= required)) return
  throw sdkError(
    'insufficientFee',
    coin === undefined
      ? 'fee not provided. Please use the --fees flag or the --gas-price flag along with the --gas flag to estimate ' +
          `the fee. The minimum global fee for this tx is: ${required}${denom}`
      : `provided fee < minimum global fee (${coinsText(coins)} < ${required}${denom}). Please increase the gas price.`,
  )
}

/**
 * Returns the fee to take. It must reach the base fee, even while base fees are disabled, and a tip
 * cap may lower it (FeeChecker).
 */
export function effectiveFee(context: Context, { fee, body }: DecodedTx, { baseFee }: Params): readonly Coin[] {
  const coins = coinsOf(fee.amount) ?? []
  if (context.mode === 'simulate' || context.mode === 'genesis' || fee.gasLimit === 0n) return coins
  const { denom } = evmCoin(context)
  const tip = tipOf(body)
  const cap = (amountOf(coins, denom) * one) / fee.gasLimit
  if (cap < baseFee) {
    throw sdkError(
      'insufficientFee',
      `gas prices too low, got: ${decimalText(cap)}${denom} required: ` +
        `${decimalText(baseFee)}${denom}. Please retry using a higher gas price or a higher fee`,
    )
  }
  const price = baseFee + tip < cap ? baseFee + tip : cap
  return [{ denom, amount: (price * fee.gasLimit + one - 1n) / one }]
}

/** The tip cap of a transaction that names none. */
const highestTip = maxInt64 * one

function tipOf({ extensionOptions: [option] }: DecodedTx['body']): bigint {
  if (option === undefined) return highestTip
  const tip = integerOf(extensionOptionDynamicFeeTx.decode(option.value).maxPriorityPrice)
  if (tip < 0n) throw sdkError('insufficientFee', 'max priority price cannot be negative')
  return tip
}

/** Takes the fee from the payer, or from its fee granter. */
export function takeFee(context: Context, { fee, messages }: DecodedTx, coins: readonly Coin[]): void {
  const first = fee.payer === '' ? signersOf(context, messages)[0] : addressOf(context, fee.payer)
  if (first === undefined) throw sdkError('unknownAddress', 'fee payer address: does not exist')
  const payer = fee.granter === '' ? first : granterOf(context, fee.granter)
  if (!equalBytes(payer, first)) {
    payByGrant(context, { granter: payer, grantee: first }, { coins, messages })
  }
  if (getAccount(context, payer) === undefined) {
    throw sdkError('unknownAddress', `fee payer address: ${goText(payer)} does not exist`)
  }
  if (coins.length === 0 && context.mode === 'simulate' && !context.fixed.simulatesWithoutFee) {
    chargeForFee(context, payer)
  }
  if (coins.some(({ amount }) => amount > 0n)) {
    if (!areValid(coins)) {
      throw sdkError('insufficientFee', `invalid fee amount: ${coinsText(coins)}`)
    }
    try {
      sendToModule(context, payer, 'fee_collector', coins)
    } catch (error) {
      if (error instanceof TxError) throw sdkError('insufficientFunds', error.message)
      throw error
    }
  }
  emit(context, 'tx', { fee: coinsText(coins), fee_payer: accountText(context, payer) })
}

/**
 * Returns the fee granter's address. The SDK panics if the text is not an address (types/tx
 * FeeGranter).
 */
function granterOf(at: Addressing, text: string): Uint8Array {
  try {
    return addressOf(at, text)
  } catch (error) {
    throw error instanceof TxError ? new GoPanic(error.message) : error
  }
}

/**
 * Charges the gas for taking a fee. A simulation names no fee yet, but the real transaction will
 * pay this gas.
 */
function chargeForFee(context: Context, payer: Uint8Array): void {
  const { denom } = evmCoin(context)
  const amount = getSpendable(withFreeStores(context), payer, denom) / 2n
  if (amount === 0n) return
  const [mark, events] = [context.draft.mark(), context.events.length]
  sendToModule(context, payer, 'fee_collector', [{ denom, amount }])
  context.draft.cut(mark)
  context.events.length = events
}

/**
 * Takes the fee through a grant. The node's error messages contain raw address bytes, not bech32.
 */
function payByGrant(
  context: Context,
  parties: Parties,
  { coins: fee, messages }: { coins: readonly Coin[]; messages: DecodedTx['messages'] },
): void {
  try {
    useGrant(context, parties, { fee, typeUrls: messages.map(({ typeUrl }) => typeUrl) })
  } catch (error) {
    if (!(error instanceof TxError)) throw error
    const { granter, grantee } = parties
    throw error.inside(`${goText(granter)} does not allow to pay fees for ${goText(grantee)}`)
  }
}
