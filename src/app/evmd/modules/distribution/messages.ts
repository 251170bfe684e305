/** Messages of x/distribution (msg_server.go). */
import { message, repeated, text } from '../../../../codec/protobuf/message.ts'
import { accountText, addressOf, namedAddress, operatorOf } from '../../address.ts'
import { emit, type Context, type Handler } from '../../context.ts'
import { handler } from '../../tx/handler.ts'
import { sdkError } from '../../txError.ts'
import { coinField } from '../../wire.ts'
import { areValid, type Coin, coinsText } from '../../coins.ts'
import { isBlocked } from '../bank/blocked.ts'
import { sendFromModule, sendToModule } from '../bank/send.ts'
import { getDelegation, type DelegationPair } from '../staking/delegations.ts'
import { getValidator } from '../staking/validators.ts'
import { allocateTo } from './allocate.ts'
import { addDecCoins, decCoinsOf, subtractDecCoins, wholeCoins } from './decCoins.ts'
import { initializeDelegation } from './lifecycle.ts'
import { distributionError, withdrawRewards } from './rewards.ts'
import {
  communityPool,
  currentRewards,
  distributionParams,
  pastRewards,
  rewardsOf,
  setCommunityPool,
  setRewards,
  setWithdrawAddress,
  withdrawAddress,
} from './store.ts'

type MsgSetWithdraw = { delegator: string; address: string }
type MsgWithdraw = { delegator: string; validator: string }
type MsgFund = { amount: readonly Coin[]; depositor: string }
type MsgDeposit = { depositor: string; validator: string; amount: readonly Coin[] }

const msgSetWithdraw = message<MsgSetWithdraw>({ 1: ['delegator', text], 2: ['address', text] })
const msgWithdraw = message<MsgWithdraw>({ 1: ['delegator', text], 2: ['validator', text] })
const msgCommission = message<{ validator: string }>({ 1: ['validator', text] })
const msgFund = message<MsgFund>({ 1: ['amount', repeated(coinField)], 2: ['depositor', text] })
const msgDeposit = message<MsgDeposit>({
  1: ['depositor', text],
  2: ['validator', text],
  3: ['amount', repeated(coinField)],
})
const paid = message<{ amount: readonly Coin[] }>({ 1: ['amount', repeated(coinField)] })

const prefix = '/cosmos.distribution.v1beta1.'

export const distributionMessages: Readonly<Record<string, Handler>> = {
  [`${prefix}MsgSetWithdrawAddress`]: handler(
    msgSetWithdraw,
    ({ delegator }, at) => addressOf(at, delegator),
    (context, asked) => {
      const delegator = namedAddress(context, 'delegator', asked.delegator)
      changeWithdrawAddress(context, delegator, namedAddress(context, 'withdraw', asked.address))
    },
  ),
  [`${prefix}MsgWithdrawDelegatorReward`]: handler(
    msgWithdraw,
    ({ delegator }, at) => addressOf(at, delegator),
    (context, asked) => {
      const operator = namedAddress(context, 'validator', asked.validator, operatorOf)
      const delegator = namedAddress(context, 'delegator', asked.delegator)
      return paid.encode({ amount: withdrawDelegation(context, { delegator, operator }) })
    },
  ),
  [`${prefix}MsgWithdrawValidatorCommission`]: handler(
    msgCommission,
    ({ validator }, at) => operatorOf(at, validator),
    (context, { validator }) => {
      const operator = namedAddress(context, 'validator', validator, operatorOf)
      return paid.encode({ amount: withdrawCommission(context, operator) })
    },
  ),
  [`${prefix}MsgFundCommunityPool`]: handler(
    msgFund,
    ({ depositor }, at) => addressOf(at, depositor),
    (context, { amount, depositor }) => {
      checkCoins(amount)
      fundCommunityPool(context, namedAddress(context, 'depositor', depositor), amount)
    },
  ),
  [`${prefix}MsgDepositValidatorRewardsPool`]: handler(
    msgDeposit,
    ({ depositor }, at) => addressOf(at, depositor),
    (context, { depositor, validator, amount }) => {
      depositRewards(context, { depositor: addressOf(context, depositor), validator, coins: amount })
    },
  ),
}

/** Sets the address that receives a delegator's rewards. Throws the SDK's errors. */
export function changeWithdrawAddress(context: Context, delegator: Uint8Array, address: Uint8Array): void {
  if (isBlocked(address)) {
    throw sdkError('unauthorized', `${accountText(context, address)} is not allowed to receive external funds`)
  }
  if (!distributionParams(context).withdrawAddrEnabled) {
    throw distributionError(8, 'set withdraw address disabled')
  }
  emit(context, 'set_withdraw_address', { withdraw_address: accountText(context, address) })
  setWithdrawAddress(context, delegator, address)
}

/** Pays out the rewards of a delegation and returns the coins. Throws the SDK's errors. */
export function withdrawDelegation(context: Context, pair: DelegationPair): readonly Coin[] {
  const validator = getValidator(context, pair.operator)
  const coins = withdrawRewards(context, validator, getDelegation(context, pair))
  initializeDelegation(context, pair)
  return coins
}

/** Pays out a validator's commission and returns the coins. Throws if there is none. */
export function withdrawCommission(context: Context, operator: Uint8Array): readonly Coin[] {
  const commission = rewardsOf(context, 'commission', operator)
  if (commission.length === 0) throw distributionError(7, 'no validator commission to withdraw')
  const { whole, rest } = wholeCoins(commission)
  setRewards(context, 'commission', { operator, coins: rest })
  const outstanding = rewardsOf(context, 'outstanding', operator)
  const left = subtractDecCoins(outstanding, decCoinsOf(whole))
  setRewards(context, 'outstanding', { operator, coins: left })
  if (whole.length > 0) {
    sendFromModule(context, 'distribution', withdrawAddress(context, operator), whole)
  }
  emit(context, 'withdraw_commission', { amount: coinsText(whole) })
  return whole
}

type Deposit = { readonly depositor: Uint8Array; readonly validator: string; readonly coins: readonly Coin[] }

/**
 * Moves coins from an account to the rewards of a validator's delegators, and returns the validator's address. The node
 * moves the coins before it reads that address.
 */
export function depositRewards(context: Context, { depositor, validator: named, coins }: Deposit): Uint8Array {
  sendToModule(context, depositor, 'distribution', coins)
  const operator = operatorOf(context, named)
  const validator = getValidator(context, operator)
  allocateTo(context, validator, decCoinsOf(coins))
  if (validator.tokens === 0n) return operator
  // The node checks that the reward sum has not overflowed, which costs gas for these reads.
  const { period } = currentRewards(context, operator)
  pastRewards(context, operator, period - 1n)
  return operator
}

/** Moves coins from an account to the community pool. */
export function fundCommunityPool(context: Context, from: Uint8Array, coins: readonly Coin[]): void {
  sendToModule(context, from, 'distribution', coins)
  setCommunityPool(context, addDecCoins(communityPool(context), decCoinsOf(coins)))
}

/** Pays coins from the community pool. Throws if it holds less. */
export function spendCommunityPool(context: Context, to: Uint8Array, coins: readonly Coin[]): void {
  const left = subtractDecCoins(communityPool(context), decCoinsOf(coins))
  if (left.some(({ amount }) => amount < 0n)) {
    throw distributionError(9, 'community pool does not have sufficient coins to distribute')
  }
  sendFromModule(context, 'distribution', to, coins)
  setCommunityPool(context, left)
}

/** Throws the SDK's `invalid coins` unless the coins are a valid, non-empty set. */
export function checkCoins(coins: readonly Coin[]): void {
  if (coins.length === 0) throw sdkError('invalidCoins', 'amount cannot be nil')
  if (!areValid(coins)) throw sdkError('invalidCoins', coinsText(coins))
}
