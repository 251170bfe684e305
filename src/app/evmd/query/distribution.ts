/** /cosmos.distribution.v1beta1.Query */
import { always, message, nested, repeated, text, uint64 } from '../../../codec/protobuf/message.ts'
import { accountText, operatorOf, operatorText } from '../address.ts'
import type { Context } from '../context.ts'
import { addDecCoins, type DecCoin } from '../modules/distribution/decCoins.ts'
import { endPeriod } from '../modules/distribution/periods.ts'
import { earnedUntil } from '../modules/distribution/rewards.ts'
import {
  communityPool,
  distributionParams,
  hasStart,
  paramsMessage,
  rewardsOf,
  slashesPlace,
  slashWithin,
  withdrawAddress,
} from '../modules/distribution/store.ts'
import { type Delegation, delegationsOf, findDelegation } from '../modules/staking/delegations.ts'
import { findValidator, getValidator, stakingError } from '../modules/staking/validators.ts'
import { coinField } from '../wire.ts'
import { itemResponse, given, type Methods, ofText, ofTexts } from './answer.ts'
import { listed, type PageRequest, prefixPage, pageRequest, plainly } from './page.ts'
import { slashedOperator } from './slashedOperator.ts'
import { invalidArgument } from './status.ts'

const service = '/cosmos.distribution.v1beta1.Query/'
const noDelegator = 'empty delegator address'

const coins = message<{ coins: readonly DecCoin[] }>({ 1: ['coins', repeated(coinField)] })
type Reward = { validator: string; reward: readonly DecCoin[] }
const totalAnswer = message<{ rewards: readonly Reward[]; total: readonly DecCoin[] }>({
  1: [
    'rewards',
    repeated(
      always(
        message<Reward>({
          1: ['validator', text],
          2: ['reward', repeated(coinField)],
        }),
      ),
    ),
  ],
  2: ['total', repeated(coinField)],
})
const infoAnswer = message<{
  operator: string
  selfRewards: readonly DecCoin[]
  commission: readonly DecCoin[]
}>({
  1: ['operator', text],
  2: ['selfRewards', repeated(coinField)],
  3: ['commission', repeated(coinField)],
})
type SlashesAsked = { operator: string; from: bigint; to: bigint; page: PageRequest | undefined }
const slashesRequest = message<SlashesAsked>({
  1: ['operator', text],
  2: ['from', uint64],
  3: ['to', uint64],
  4: ['page', nested(pageRequest)],
})
const names = message<{ names: readonly string[] }>({ 1: ['names', repeated(text)] })
const name = message<{ name: string }>({ 1: ['name', text] })

export const distributionQueries: Methods = {
  [`${service}Params`]: (context) => itemResponse(paramsMessage.encode(distributionParams(context))),
  [`${service}CommunityPool`]: (context) => coins.encode({ coins: communityPool(context) }),
  [`${service}ValidatorOutstandingRewards`]: (context, data) => {
    const operator = knownOperator(context, ofText.decode(data).text)
    return itemResponse(coins.encode({ coins: rewardsOf(context, 'outstanding', operator) }))
  },
  [`${service}ValidatorCommission`]: (context, data) => {
    const operator = knownOperator(context, ofText.decode(data).text)
    return itemResponse(coins.encode({ coins: rewardsOf(context, 'commission', operator) }))
  },
  [`${service}ValidatorDistributionInfo`]: (context, data) => {
    const operator = knownOperator(context, ofText.decode(data).text)
    const own = findDelegation(context, { delegator: operator, operator })
    return infoAnswer.encode({
      operator: accountText(context, operator),
      selfRewards: own === undefined ? [] : earned(context, own),
      commission: rewardsOf(context, 'commission', operator),
    })
  },
  [`${service}ValidatorSlashes`]: (context, data) => {
    const { operator, from, to, page } = slashesRequest.decode(data)
    if (operator === '') throw invalidArgument('empty validator address')
    if (to < from) {
      throw invalidArgument(`starting height greater than ending height (${from} > ${to})`)
    }
    const slashes = { ...slashesPlace(slashedOperator(context, operator)), page, refuses: plainly }
    return listed.encode(prefixPage(context, slashes, ([, raw]) => slashWithin(raw, { from, to }) && raw))
  },
  [`${service}DelegationRewards`]: (context, data) => {
    const { a, b } = ofTexts.decode(data)
    const delegator = given(context, a, noDelegator)
    const operator = knownOperator(context, b)
    const delegation = findDelegation(context, { delegator, operator })
    if (delegation === undefined) {
      throw stakingError(19, 'no delegation for (address, validator) tuple')
    }
    return coins.encode({ coins: earned(context, delegation) })
  },
  [`${service}DelegationTotalRewards`]: (context, data) => {
    const delegations = delegationsOf(context, given(context, ofText.decode(data).text, noDelegator))
    const rewards = Array.from(delegations, (each) => ({
      validator: operatorText(context, each.operator),
      reward: earned(context, each),
    }))
    const none: readonly DecCoin[] = []
    const total = rewards.reduce((sum, { reward }) => addDecCoins(sum, reward), none)
    return totalAnswer.encode({ rewards, total })
  },
  [`${service}DelegatorValidators`]: (context, data) => {
    const delegations = delegationsOf(context, given(context, ofText.decode(data).text, noDelegator))
    return names.encode({
      names: Array.from(delegations, ({ operator }) => operatorText(context, operator)),
    })
  },
  [`${service}DelegatorWithdrawAddress`]: (context, data) => {
    const delegator = given(context, ofText.decode(data).text, noDelegator)
    return name.encode({ name: accountText(context, withdrawAddress(context, delegator)) })
  },
}

function knownOperator(context: Context, address: string): Uint8Array {
  if (address === '') throw invalidArgument('empty validator address')
  const operator = operatorOf(context, address)
  getValidator(context, operator)
  return operator
}

/**
 * Returns the rewards that a delegation has earned so far. Ending the reward period affects only
 * the query's own draft.
 */
function earned(context: Context, delegation: Delegation): readonly DecCoin[] {
  const validator = findValidator(context, delegation.operator)
  if (validator === undefined || !hasStart(context, delegation)) return []
  return earnedUntil(context, { validator, delegation, period: endPeriod(context, validator) })
}
