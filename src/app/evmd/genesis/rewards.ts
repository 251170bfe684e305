/** Loads minting, distribution and slashing from a genesis document. */
import type { Context } from '../context.ts'
import {
  setCommunityPool,
  setCurrentRewards,
  setDistributionParams,
  setPastRewards,
  setProposer,
  setRewards,
  setSlash,
  setStart,
  setWithdrawAddress,
  slashMessage,
} from '../modules/distribution/store.ts'
import { addDecCoins, type DecCoin, wholeCoins } from '../modules/distribution/decCoins.ts'
import { setMinter, setMintParams } from '../modules/mint/mint.ts'
import {
  isKeyKnown,
  rememberKey,
  setMissed,
  setSigningInfo,
  setSlashingParams,
  signingInfoMessage,
} from '../modules/slashing/signingInfo.ts'
import { checkHoldings } from './accounts.ts'
import { consensusAddress } from '../modules/staking/validator.ts'
import { allValidators } from '../modules/staking/validators.ts'
import {
  address,
  decCoins,
  decimal,
  duration,
  flag,
  integer,
  integerOr,
  InvalidGenesis,
  isThere,
  list,
  messageIn,
  section,
  type Section,
  text,
} from './read.ts'

/** Loads x/mint. Without this section, the chain mints nothing. */
export function loadMint(context: Context, mint: Section): void {
  if (!isThere(section(mint, 'params'))) return
  const minter = section(mint, 'minter')
  const params = section(mint, 'params')
  setMinter(context, {
    inflation: decimal(minter, 'inflation'),
    annualProvisions: decimal(minter, 'annual_provisions'),
  })
  const blocksPerYear = integer(params, 'blocks_per_year')
  if (blocksPerYear <= 0n) throw new InvalidGenesis(`${params.path}.blocks_per_year`, 'above 0')
  setMintParams(context, {
    mintDenom: text(params, 'mint_denom'),
    inflationRateChange: decimal(params, 'inflation_rate_change'),
    inflationMax: decimal(params, 'inflation_max'),
    inflationMin: decimal(params, 'inflation_min'),
    goalBonded: decimal(params, 'goal_bonded'),
    blocksPerYear,
  })
}

/**
 * Loads x/distribution. Throws `InvalidGenesis` if the balance of the module account does not
 * match.
 */
export function loadDistribution(context: Context, distribution: Section): void {
  const pool = decCoins(section(distribution, 'fee_pool'), 'community_pool')
  setCommunityPool(context, pool)
  const params = section(distribution, 'params')
  setDistributionParams(context, {
    communityTax: decimal(params, 'community_tax', '0.02'),
    baseProposerReward: decimal(params, 'base_proposer_reward'),
    bonusProposerReward: decimal(params, 'bonus_proposer_reward'),
    withdrawAddrEnabled: isThere(params) ? flag(params, 'withdraw_addr_enabled') : true,
  })
  for (const each of list(distribution, 'delegator_withdraw_infos')) {
    setWithdrawAddress(context, address(context, each, 'delegator_address'), address(context, each, 'withdraw_address'))
  }
  const proposer = text(distribution, 'previous_proposer')
  setProposer(
    context,
    proposer === '' ? new Uint8Array(0) : address(context, distribution, 'previous_proposer', 'consensus'),
  )
  const held = loadValidatorRewards(context, distribution)
  const { whole } = wholeCoins(addDecCoins(held, pool))
  checkHoldings(context, 'distribution', { path: `${distribution.path}.outstanding_rewards`, coins: whole })
}

function loadValidatorRewards(context: Context, distribution: Section): readonly DecCoin[] {
  const operatorOf = (each: Section) => address(context, each, 'validator_address', 'operator')
  let held: readonly DecCoin[] = []
  for (const each of list(distribution, 'outstanding_rewards')) {
    const coins = decCoins(each, 'outstanding_rewards')
    setRewards(context, 'outstanding', { operator: operatorOf(each), coins })
    held = addDecCoins(held, coins)
  }
  for (const each of list(distribution, 'validator_accumulated_commissions')) {
    const coins = decCoins(section(each, 'accumulated'), 'commission')
    setRewards(context, 'commission', { operator: operatorOf(each), coins })
  }
  for (const each of list(distribution, 'validator_historical_rewards')) {
    const rewards = section(each, 'rewards')
    setPastRewards(context, operatorOf(each), {
      period: integer(each, 'period'),
      ratio: decCoins(rewards, 'cumulative_reward_ratio'),
      references: Number(integer(rewards, 'reference_count')),
    })
  }
  for (const each of list(distribution, 'validator_current_rewards')) {
    const rewards = section(each, 'rewards')
    setCurrentRewards(context, operatorOf(each), {
      coins: decCoins(rewards, 'rewards'),
      period: integer(rewards, 'period'),
    })
  }
  for (const each of list(distribution, 'delegator_starting_infos')) {
    const info = section(each, 'starting_info')
    const pair = {
      operator: operatorOf(each),
      delegator: address(context, each, 'delegator_address'),
    }
    setStart(context, pair, {
      previousPeriod: integer(info, 'previous_period'),
      stake: decimal(info, 'stake'),
      height: integer(info, 'height'),
    })
  }
  for (const each of list(distribution, 'validator_slash_events')) {
    const event = section(each, 'validator_slash_event')
    setSlash(context, operatorOf(each), {
      height: integer(each, 'height'),
      period: integer(each, 'period'),
      event: messageIn(event, 'cosmos.distribution.v1beta1.ValidatorSlashEvent', slashMessage),
    })
  }
  return held
}

/** Loads x/slashing. */
export function loadSlashing(context: Context, slashing: Section): void {
  for (const validator of allValidators(context)) {
    if (!isKeyKnown(context, consensusAddress(validator))) rememberKey(context, validator)
  }
  for (const each of list(slashing, 'signing_infos')) {
    const info = section(each, 'validator_signing_info')
    setSigningInfo(
      context,
      address(context, each, 'address', 'consensus'),
      messageIn(info, 'cosmos.slashing.v1beta1.ValidatorSigningInfo', signingInfoMessage),
    )
  }
  for (const each of list(slashing, 'missed_blocks')) {
    const absent = address(context, each, 'address', 'consensus')
    for (const block of list(each, 'missed_blocks')) {
      setMissed(context, absent, {
        index: integer(block, 'index'),
        missed: flag(block, 'missed'),
      })
    }
  }
  const params = section(slashing, 'params')
  setSlashingParams(context, {
    signedBlocksWindow: integerOr(params, 'signed_blocks_window', 100n),
    minSignedPerWindow: decimal(params, 'min_signed_per_window', '0.5'),
    downtimeJailDuration: duration(params, 'downtime_jail_duration', '600s'),
    slashFractionDoubleSign: decimal(params, 'slash_fraction_double_sign', '0.05'),
    slashFractionDowntime: decimal(params, 'slash_fraction_downtime', '0.01'),
  })
}
