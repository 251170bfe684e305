/** Queries of precompile 0x801 about rewards (cosmos/evm precompiles/distribution query). */
import { accountText, operatorOf, operatorText } from '../address.ts'
import type { Context } from '../context.ts'
import { truncated } from '../decimal.ts'
import { addDecCoins, type DecCoin } from '../modules/distribution/decCoins.ts'
import { endPeriod } from '../modules/distribution/periods.ts'
import { earnedUntil } from '../modules/distribution/rewards.ts'
import { communityPool, rewardsOf, slashesPlace, slashWithin, withdrawAddress } from '../modules/distribution/store.ts'
import { delegationsOf, type Delegation, findDelegation } from '../modules/staking/delegations.ts'
import type { Validator } from '../modules/staking/validator.ts'
import { findValidator, getValidator } from '../modules/staking/validators.ts'
import { slashedOperator } from '../query/slashedOperator.ts'
import { invalidArgument } from '../query/status.ts'
import type { AbiValue } from './abi.ts'
import { integerArgument, textArgument } from './arguments.ts'
import { pageIn, precompilePage, pageOut } from './pages.ts'
import { reads, type Run } from './precompile.ts'
import { Reverted } from './reverted.ts'
import { presentAddress } from './spelling.ts'

const places = 18n

/**
 * Returns coins with truncated amounts. The node truncates decimals but still reports 18 of them.
 */
function decCoinsOut(coins: readonly DecCoin[]): AbiValue {
  return coins.map(({ denom, amount }) => [denom, truncated(amount), places])
}

/**
 * Returns the rewards earned so far. It ends the reward period, as on the node. In a transaction,
 * that change is kept.
 */
function earned(context: Context, validator: Validator, delegation: Delegation): readonly DecCoin[] {
  return earnedUntil(context, { validator, delegation, period: endPeriod(context, validator) })
}

const info: Run = ({ context }, [at]) => {
  const validator = knownValidator(context, textArgument(at))
  const { operator } = validator
  const delegation = findDelegation(context, { delegator: operator, operator })
  if (delegation === undefined) {
    throw new Reverted('no delegation for (address, validator) tuple')
  }
  const rewards = earned(context, validator, delegation)
  const commission = rewardsOf(context, 'commission', operator)
  return [[accountText(context, operator), decCoinsOut(rewards), decCoinsOut(commission)]]
}

const outstanding: Run = ({ context }, [at]) => {
  const { operator } = knownValidator(context, textArgument(at))
  return [decCoinsOut(rewardsOf(context, 'outstanding', operator))]
}

const commission: Run = ({ context }, [at]) => {
  const { operator } = knownValidator(context, textArgument(at))
  return [decCoinsOut(rewardsOf(context, 'commission', operator))]
}

function knownValidator(context: Context, spelled: string): Validator {
  if (spelled === '') throw invalidArgument('empty validator address')
  const validator = findValidator(context, operatorOf(context, spelled))
  if (validator !== undefined) return validator
  throw new Reverted('validator does not exist')
}

const slashes: Run = ({ context }, [at, first, last, page]) => {
  const from = integerArgument(first)
  const to = integerArgument(last)
  if (textArgument(at) === '') throw invalidArgument('empty validator address')
  if (to < from) throw invalidArgument(`starting height greater than ending height (${from} > ${to})`)
  const operator = slashedOperator(context, textArgument(at))
  const { items, response } = precompilePage(context, slashesPlace(operator), page, ([, value]) =>
    slashWithin(value, { from, to }),
  )
  return [items.map(({ period, fraction }) => [period, [fraction, places]]), response]
}

const rewards: Run = ({ context }, [from, at]) => {
  const delegator = presentAddress(from, 'delegator')
  if (textArgument(at) === '') throw invalidArgument('empty validator address')
  const operator = operatorOf(context, textArgument(at))
  const validator = findValidator(context, operator)
  if (validator === undefined) throw new Reverted('validator does not exist')
  const delegation = findDelegation(context, { delegator, operator })
  if (delegation === undefined) {
    throw new Reverted('no delegation for (address, validator) tuple')
  }
  return [decCoinsOut(earned(context, validator, delegation))]
}

const totalRewards: Run = ({ context }, [from]) => {
  const delegator = presentAddress(from, 'delegator')
  const each = Array.from(delegationsOf(context, delegator), (delegation) => {
    const { operator } = delegation
    return { operator, coins: earned(context, getValidator(context, operator), delegation) }
  })
  const total = each.reduce((sum: readonly DecCoin[], { coins }) => addDecCoins(sum, coins), [])
  const shown = each.map(({ operator, coins }) => [operatorText(context, operator), decCoinsOut(coins)])
  return [shown, decCoinsOut(total)]
}

const validatorsOf: Run = ({ context }, [from]) => {
  const delegator = presentAddress(from, 'delegator')
  const operators = Array.from(delegationsOf(context, delegator), ({ operator }) => operator)
  return [operators.map((operator) => operatorText(context, operator))]
}

const withdrawer: Run = ({ context }, [from]) => [
  accountText(context, withdrawAddress(context, presentAddress(from, 'delegator'))),
]

const decCoins = '(string,uint256,uint8)[]'

/** The read-only methods. */
export const distributionQueries = {
  'validatorDistributionInfo(string)': reads(`(string,${decCoins},${decCoins})`, info),
  'validatorOutstandingRewards(string)': reads(decCoins, outstanding),
  'validatorCommission(string)': reads(decCoins, commission),
  [`validatorSlashes(string,uint64,uint64,${pageIn})`]: reads(`(uint64,(uint256,uint8))[],${pageOut}`, slashes),
  'delegationRewards(address,string)': reads(decCoins, rewards),
  'delegationTotalRewards(address)': reads(`(string,${decCoins})[],${decCoins}`, totalRewards),
  'delegatorValidators(address)': reads('string[]', validatorsOf),
  'delegatorWithdrawAddress(address)': reads('string', withdrawer),
  'communityPool()': reads(decCoins, ({ context }) => [decCoinsOut(communityPool(context))]),
}
