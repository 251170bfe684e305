/**
 * Precompile 0x801: rewards, commission and the community pool (cosmos/evm
 * precompiles/distribution).
 */
import { isExpected } from '../../../errors.ts'
import { accountText, type Addressing, bech32AddressOf, namedAddress, operatorOf, prefixOf } from '../address.ts'
import type { Context } from '../context.ts'
import type { Coin } from '../coins.ts'
import { addCoinSets, amountOf } from '../coinSets.ts'
import {
  changeWithdrawAddress,
  checkCoins,
  depositRewards,
  fundCommunityPool,
  withdrawCommission,
  withdrawDelegation,
} from '../modules/distribution/messages.ts'
import { delegationsOf } from '../modules/staking/delegations.ts'
import { stakingParams } from '../modules/staking/params.ts'
import type { Validator } from '../modules/staking/validator.ts'
import { getValidator } from '../modules/staking/validators.ts'
import { goError } from '../txError.ts'
import { integerArgument, textArgument } from './arguments.ts'
import { distributionQueries } from './distributionQueries.ts'
import { eventOf, methodsOf, type MethodTable, type Run, writes } from './precompile.ts'
import { Reverted } from './reverted.ts'
import { checkCaller, coinsOut, presentAddress, sortedCoins } from './spelling.ts'

const emitClaim = eventOf('ClaimRewards(address,uint256)')
const emitSetWithdraw = eventOf('SetWithdrawerAddress(address,string)')
const emitReward = eventOf('WithdrawDelegatorReward(address,address,uint256)')
const emitCommission = eventOf('WithdrawValidatorCommission(string,uint256)')
const emitFund = eventOf('FundCommunityPool(address,string,uint256)')
const emitDeposit = eventOf('DepositValidatorRewardsPool(address,address,string,uint256)')

const claimRewards: Run = (frame, [from, retrieved]) => {
  const { context } = frame
  const delegator = presentAddress(from, 'delegator')
  const most = integerArgument(retrieved)
  const { maxValidators } = stakingParams(context)
  if (most > BigInt(maxValidators)) {
    const text = `exceeds the maximum number of validators (${maxValidators})`
    throw new Reverted(`maxRetrieve (${most}) parameter ${text}`)
  }
  checkCaller(frame, delegator)
  const coins = firstValidators(context, delegator, most).reduce(
    (sum: readonly Coin[], { operator }) => addCoinSets(sum, withdrawDelegation(context, { delegator, operator })),
    [],
  )
  const amount = amountOf(coins, stakingParams(context).bondDenom)
  emitClaim(frame, { indexed: [delegator], data: [amount] })
  return [true]
}

/** Returns at most `most` validators to which a delegator delegates. */
function firstValidators(context: Context, delegator: Uint8Array, most: bigint): readonly Validator[] {
  const found: Validator[] = []
  if (most === 0n) return found
  for (const { operator } of delegationsOf(context, delegator)) {
    if (BigInt(found.length) === most) break
    found.push(getValidator(context, operator))
  }
  return found
}

const setWithdrawAddress: Run = (frame, [from, to]) => {
  const delegator = presentAddress(from, 'delegator')
  checkCaller(frame, delegator)
  const address = namedAddress(frame.context, 'withdraw', textArgument(to))
  changeWithdrawAddress(frame.context, delegator, address)
  emitSetWithdraw(frame, { indexed: [delegator], data: [accountText(frame.context, address)] })
  return [true]
}

const withdrawRewards: Run = (frame, [from, at]) => {
  const delegator = presentAddress(from, 'delegator')
  checkCaller(frame, delegator)
  const operator = namedAddress(frame.context, 'validator', textArgument(at), operatorOf)
  const coins = withdrawDelegation(frame.context, { delegator, operator })
  emitReward(frame, { indexed: [delegator, operator], data: [coins[0]?.amount ?? 0n] })
  return [coinsOut(coins)]
}

const withdrawValidatorCommission: Run = (frame, [at]) => {
  const owner = anyAddressOf(frame.context, textArgument(at))
  checkCaller(frame, owner)
  const operator = namedAddress(frame.context, 'validator', textArgument(at), operatorOf)
  const coins = withdrawCommission(frame.context, operator)
  emitCommission(frame, { indexed: [textArgument(at)], data: [coins[0]?.amount ?? 0n] })
  return [coinsOut(coins)]
}

/**
 * Returns the address in the bech32 text of an account, a validator or a consensus key (utils
 * HexAddressFromBech32String). The error is that of the last try.
 */
function anyAddressOf(at: Addressing, text: string): Uint8Array {
  const kinds = ['account', 'operator'] as const
  const kind = kinds.find((each) => text.toLowerCase().startsWith(`${prefixOf(at, each)}1`))
  try {
    return bech32AddressOf(at, text, kind ?? 'consensus')
  } catch (error) {
    if (!isExpected(error)) throw error
    throw goError(`failed to convert bech32 string to address: ${error.message}`)
  }
}

const fund: Run = (frame, [from, amount]) => {
  const depositor = presentAddress(from, 'hex address')
  const coins = sortedCoins(amount, () => 'invalid amount amount arg')
  checkCaller(frame, depositor)
  // An empty list is not nil in Go, so it is accepted.
  if (coins.length > 0) checkCoins(coins)
  fundCommunityPool(frame.context, depositor, coins)
  for (const coin of coins) {
    emitFund(frame, { indexed: [depositor], data: [coin.denom, coin.amount] })
  }
  return [true]
}

const depositPool: Run = (frame, [from, at, amount]) => {
  const depositor = presentAddress(from, 'hex address')
  const coins = sortedCoins(
    amount,
    (denom, all) => `invalid amount: ${denom === '' ? inGo(all) : `invalid denom: ${denom}`}`,
  )
  checkCaller(frame, depositor)
  const operator = depositRewards(frame.context, { depositor, validator: textArgument(at), coins })
  for (const coin of coins) {
    emitDeposit(frame, { indexed: [depositor, operator], data: [coin.denom, coin.amount] })
  }
  return [true]
}

/** Returns coins as Go prints a list of structs. */
function inGo(coins: readonly Coin[]): string {
  return `[${coins.map(({ denom, amount }) => `{${denom} ${amount}}`).join(' ')}]`
}

/** The methods. An account can act only for itself. */
export const distributionPrecompile: MethodTable = {
  kind: 'methods',
  isMetered: true,
  methods: methodsOf({
    'claimRewards(address,uint32)': writes('bool', claimRewards),
    'setWithdrawAddress(address,string)': writes('bool', setWithdrawAddress),
    'withdrawDelegatorRewards(address,string)': writes('(string,uint256)[]', withdrawRewards),
    'withdrawValidatorCommission(string)': writes('(string,uint256)[]', withdrawValidatorCommission),
    'fundCommunityPool(address,(string,uint256)[])': writes('bool', fund),
    'depositValidatorRewardsPool(address,string,(string,uint256)[])': writes('bool', depositPool),
    ...distributionQueries,
  }),
}
