/** What precompile 0x801 tells of rewards (cosmos/evm precompiles/distribution query). */
import { accountText, operatorOf, operatorText } from '../address.ts'
import type { Context } from '../context.ts'
import { truncated } from '../decimal.ts'
import { addDecCoins, type DecCoin } from '../modules/distribution/decCoins.ts'
import { endPeriod } from '../modules/distribution/periods.ts'
import { distributionError, earnedUntil } from '../modules/distribution/rewards.ts'
import {
  communityPool, hasStart, rewardsOf, slashesBetween, withdrawAddress,
} from '../modules/distribution/store.ts'
import {
  delegationsOf, type Delegation, findDelegation,
} from '../modules/staking/delegations.ts'
import { findValidator, getValidator } from '../modules/staking/validators.ts'
import type { AbiValue } from './abi.ts'
import { numberOf, textOf } from './arguments.ts'
import { pageIn, pageOf, pageOut } from './pages.ts'
import { reads, type Run } from './precompile.ts'
import { Reverted } from './reverted.ts'
import { presentAddress } from './spelling.ts'
import { bigEndian } from '../storeKeys.ts'

const places = 18n

/** The node cuts decimals off and still says that there are 18 of them. */
function decCoinsOut(coins: readonly DecCoin[]): AbiValue {
  return coins.map(({ denom, amount }) => [denom, truncated(amount), places])
}

/** What would be paid now; ending the period for that leaves nothing behind. */
function earned(context: Context, delegation: Delegation): readonly DecCoin[] {
  const mark = context.draft.mark()
  const validator = getValidator(context, delegation.operator)
  if (!hasStart(context, delegation)) throw distributionError(5, 'no delegation distribution info')
  const period = endPeriod(context, validator)
  const coins = earnedUntil(context, { validator, delegation, period })
  context.draft.cut(mark)
  return coins
}

const info: Run = ({ context }, [at]) => {
  const operator = knownOperator(context, textOf(at))
  const delegation = findDelegation(context, { delegator: operator, operator })
  if (delegation === undefined) {
    throw new Reverted('no delegation for (address, validator) tuple')
  }
  const commission = rewardsOf(context, 'commission', operator)
  return [[
    accountText(operator), decCoinsOut(earned(context, delegation)), decCoinsOut(commission),
  ]]
}

const outstanding: Run = ({ context }, [at]) => {
  const operator = knownOperator(context, textOf(at))
  return [decCoinsOut(rewardsOf(context, 'outstanding', operator))]
}

const commission: Run = ({ context }, [at]) => {
  const operator = knownOperator(context, textOf(at))
  return [decCoinsOut(rewardsOf(context, 'commission', operator))]
}

function knownOperator(context: Context, spelled: string): Uint8Array {
  if (spelled === '') throw invalid('empty validator address')
  const operator = operatorOf(spelled)
  if (findValidator(context, operator) !== undefined) return operator
  throw new Reverted(`${spelled}: validator does not exist`)
}

function invalid(text: string): Reverted {
  return new Reverted(`rpc error: code = InvalidArgument desc = ${text}`)
}

const slashes: Run = ({ context }, [at, first, last, page]) => {
  const from = numberOf(first)
  const to = numberOf(last)
  if (textOf(at) === '') throw invalid('empty validator address')
  if (to < from) throw invalid('starting height greater than ending height')
  const entries = slashesBetween(context, operatorOf(textOf(at)), { from, to })
    .map((item) => ({ key: bigEndian(item.height), item }))
  const { items, response } = pageOf(entries, page)
  return [items.map(({ period, fraction }) => [period, [fraction, places]]), response]
}

const rewards: Run = ({ context }, [from, at]) => {
  const delegator = presentAddress(from, 'delegator')
  if (textOf(at) === '') throw invalid('empty validator address')
  const operator = operatorOf(textOf(at))
  if (findValidator(context, operator) === undefined) {
    throw new Reverted('validator does not exist')
  }
  const delegation = findDelegation(context, { delegator, operator })
  if (delegation === undefined) {
    throw new Reverted('no delegation for (address, validator) tuple')
  }
  return [decCoinsOut(earned(context, delegation))]
}

const totalRewards: Run = ({ context }, [from]) => {
  const delegator = presentAddress(from, 'delegator')
  const each = delegationsOf(context, delegator)
    .map((delegation) => ({ operator: delegation.operator, coins: earned(context, delegation) }))
  const total = each.reduce(
    (sum: readonly DecCoin[], { coins }) => addDecCoins(sum, coins), [],
  )
  const shown = each.map(({ operator, coins }) => [operatorText(operator), decCoinsOut(coins)])
  return [shown, decCoinsOut(total)]
}

const validatorsOf: Run = ({ context }, [from]) => {
  const delegator = presentAddress(from, 'delegator')
  return [delegationsOf(context, delegator).map(({ operator }) => operatorText(operator))]
}

const withdrawer: Run = ({ context }, [from]) => (
  [accountText(withdrawAddress(context, presentAddress(from, 'delegator')))]
)

const decCoins = '(string,uint256,uint8)[]'

/** The methods that only read. */
export const distributionQueries = {
  'validatorDistributionInfo(string)': reads(`(string,${decCoins},${decCoins})`, info),
  'validatorOutstandingRewards(string)': reads(decCoins, outstanding),
  'validatorCommission(string)': reads(decCoins, commission),
  [`validatorSlashes(string,uint64,uint64,${pageIn})`]:
    reads(`(uint64,(uint256,uint8))[],${pageOut}`, slashes),
  'delegationRewards(address,string)': reads(decCoins, rewards),
  'delegationTotalRewards(address)': reads(`(string,${decCoins})[],${decCoins}`, totalRewards),
  'delegatorValidators(address)': reads('string[]', validatorsOf),
  'delegatorWithdrawAddress(address)': reads('string', withdrawer),
  'communityPool()': reads(decCoins, ({ context }) => [decCoinsOut(communityPool(context))]),
}
