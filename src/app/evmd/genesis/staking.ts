/** Loads x/staking from a genesis document: parameters, validators, delegations and unbondings. */
import type { ValidatorUpdate } from '../../abci.ts'
import type { Context } from '../context.ts'
import { setDelegation } from '../modules/staking/delegations.ts'
import { afterDelegationModified, afterValidatorCreated, beforeDelegationCreated } from '../stakingHooks.ts'
import { setStakingParams, stakingParams } from '../modules/staking/params.ts'
import { bondedPool, notBondedPool } from '../modules/staking/pools.ts'
import {
  putRedelegation,
  putUnbonding,
  queueRedelegation,
  queueUnbonding,
  redelegationMessage,
  unbondingMessage,
} from '../modules/staking/unbondings.ts'
import { consensusKey, status, statusNames, type Validator, validatorMessage } from '../modules/staking/validator.ts'
import { queueValidator } from '../modules/staking/validatorLife.ts'
import { setTotalPower, updateValidatorSet } from '../modules/staking/validatorSet.ts'
import {
  allValidators,
  getValidator,
  setByConsensus,
  setByPower,
  setLastPower,
  setValidator,
} from '../modules/staking/validators.ts'
import { checkHoldings } from './accounts.ts'
import { publicKeyBytes } from './publicKey.ts'
import {
  address,
  decimal,
  duration,
  flag,
  integer,
  integerOr,
  InvalidGenesis,
  list,
  messageIn,
  section,
  type Section,
  text,
} from './read.ts'

/** Loads x/staking and returns the initial validator set. Throws `InvalidGenesis`. */
export function loadStaking(context: Context, staking: Section): readonly ValidatorUpdate[] {
  loadParams(context, section(staking, 'params'))
  setTotalPower(context, integer(staking, 'last_total_power'))
  const isExported = flag(staking, 'exported')
  for (const each of list(staking, 'validators')) {
    const validator = validatorOf(context, each)
    setValidator(context, validator)
    setByConsensus(context, validator)
    setByPower(context, validator)
    if (!isExported) afterValidatorCreated(context, validator.operator)
    if (validator.status === status.unbonding) queueValidator(context, validator)
  }
  for (const each of list(staking, 'delegations')) loadDelegation(context, each, isExported)
  const waiting = loadUnbondings(context, staking)
  loadRedelegations(context, staking)
  checkPools(context, staking, waiting)
  const powers = list(staking, 'last_validator_powers')
  return isExported ? loadPowers(context, powers) : updateValidatorSet(context)
}

function loadParams(context: Context, params: Section): void {
  setStakingParams(context, {
    unbondingTime: duration(params, 'unbonding_time', '1814400s'),
    maxValidators: Number(integerOr(params, 'max_validators', 100n)),
    maxEntries: Number(integerOr(params, 'max_entries', 7n)),
    historicalEntries: Number(integerOr(params, 'historical_entries', 10_000n)),
    bondDenom: text(params, 'bond_denom') || 'atest',
    minCommissionRate: decimal(params, 'min_commission_rate'),
  })
}

function validatorOf(context: Context, each: Section): Validator {
  const key = section(each, 'consensus_pubkey')
  if (publicKeyBytes(key).length !== 32) {
    throw new InvalidGenesis(`${key.path}.key`, 'an ed25519 key of 32 bytes')
  }
  address(context, each, 'operator_address', 'operator')
  const validator = messageIn(each, 'cosmos.staking.v1beta1.Validator', validatorMessage(context))
  if (validator.status < status.unbonded || validator.status > status.bonded) {
    throw new InvalidGenesis(`${each.path}.status`, statusNames.slice(1).join(' or '))
  }
  return validator
}

/** Returns the description of a validator. */
export function descriptionOf(about: Section): Validator['description'] {
  return {
    moniker: text(about, 'moniker'),
    identity: text(about, 'identity'),
    website: text(about, 'website'),
    securityContact: text(about, 'security_contact'),
    details: text(about, 'details'),
  }
}

/** Returns the commission rates of a validator. */
export function ratesOf(rates: Section): Validator['commission']['rates'] {
  return {
    rate: decimal(rates, 'rate'),
    maxRate: decimal(rates, 'max_rate'),
    maxChangeRate: decimal(rates, 'max_change_rate'),
  }
}

function loadDelegation(context: Context, each: Section, isExported: boolean): void {
  const pair = {
    delegator: address(context, each, 'delegator_address'),
    operator: address(context, each, 'validator_address', 'operator'),
  }
  if (!isExported) beforeDelegationCreated(context, pair)
  setDelegation(context, { ...pair, shares: decimal(each, 'shares') })
  if (!isExported) afterDelegationModified(context, pair)
}

function loadUnbondings(context: Context, staking: Section): bigint {
  let total = 0n
  for (const each of list(staking, 'unbonding_delegations')) {
    address(context, each, 'delegator_address')
    address(context, each, 'validator_address', 'operator')
    const unbonding = messageIn(each, 'cosmos.staking.v1beta1.UnbondingDelegation', unbondingMessage(context))
    putUnbonding(context, unbonding)
    for (const { completionTime, balance } of unbonding.entries) {
      queueUnbonding(context, unbonding, completionTime)
      total += balance
    }
  }
  return total
}

function loadRedelegations(context: Context, staking: Section): void {
  for (const each of list(staking, 'redelegations')) {
    address(context, each, 'delegator_address')
    address(context, each, 'validator_src_address', 'operator')
    address(context, each, 'validator_dst_address', 'operator')
    const redelegation = messageIn(each, 'cosmos.staking.v1beta1.Redelegation', redelegationMessage(context))
    putRedelegation(context, redelegation)
    for (const { completionTime } of redelegation.entries) {
      queueRedelegation(context, redelegation, completionTime)
    }
  }
}

/** Throws `InvalidGenesis` unless the pools hold the sum of validators' tokens and unbondings. */
function checkPools(context: Context, staking: Section, waiting: bigint): void {
  const tokens = { [bondedPool]: 0n, [notBondedPool]: waiting }
  for (const validator of allValidators(context)) {
    const pool = validator.status === status.bonded ? bondedPool : notBondedPool
    tokens[pool] = (tokens[pool] ?? 0n) + validator.tokens
  }
  const { bondDenom: denom } = stakingParams(context)
  for (const [pool, amount] of Object.entries(tokens)) {
    const coins = amount === 0n ? [] : [{ denom, amount }]
    checkHoldings(context, pool, { path: `${staking.path}.validators`, coins })
  }
}

function loadPowers(context: Context, powers: readonly Section[]): readonly ValidatorUpdate[] {
  return powers.map((each) => {
    const operator = address(context, each, 'address', 'operator')
    const power = integer(each, 'power')
    setLastPower(context, operator, power)
    const bytes = consensusKey(getValidator(context, operator))
    return { publicKey: { type: 'ed25519', bytes }, power }
  })
}
