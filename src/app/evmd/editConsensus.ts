/** An operator's changes to validators and upgrade plans, made through the modules. */
import { zeroTime } from '../../data/time.ts'
import { Ed25519PubKey } from '../../codec/messages/cosmos.ts'
import { ed25519Address } from '../../crypto/ed25519.ts'
import { equalBytes } from '../../data/bytes.ts'
import { SimError } from '../../errors.ts'
import type { ConsensusEdit } from '../application.ts'
import { blockTime } from './blockTime.ts'
import type { Context } from './context.ts'
import { one, truncated } from './decimal.ts'
import { createAccount, getAccount } from './modules/auth/accounts.ts'
import { getBalance, getSupply, setBalance, setSupply } from './modules/bank/balances.ts'
import { setSigningInfo, signingInfo } from './modules/slashing/signingInfo.ts'
import { createValidator } from './modules/staking/createValidator.ts'
import { delegatorsTo, findDelegation, type DelegationPair } from './modules/staking/delegations.ts'
import { delegate, sharesToUnbond, undelegate } from './modules/staking/delegate.ts'
import { stakingParams } from './modules/staking/params.ts'
import { slash } from './modules/staking/slash.ts'
import { consensusPower, powerReduction, tokensOfShares, type Validator } from './modules/staking/validator.ts'
import { jailValidator, unjailValidator } from './modules/staking/validatorLife.ts'
import { findValidator, validatorByConsensus } from './modules/staking/validators.ts'
import { setUpgradePlan } from './modules/upgrade/upgrade.ts'

/**
 * Applies one edit. Throws `NoSuchValidator`, or the SDK's error if a module rejects the change.
 */
export function editConsensus(context: Context, edit: ConsensusEdit): void {
  switch (edit.type) {
    case 'setPower':
      return setPower(context, edit)
    case 'setJailed':
      return setJailed(context, edit)
    case 'planUpgrade':
      return setUpgradePlan(context, edit.plan)
  }
}

type Of<Type> = Extract<ConsensusEdit, { type: Type }>

/**
 * Sets the power of a validator. To raise it, mints the missing tokens and delegates them from the
 * operator. To lower it, unbonds the operator's own delegation first, without dropping below the
 * minimum that avoids jailing, then the delegations of others.
 */
function setPower(context: Context, { publicKey, moniker, power }: Of<'setPower'>): void {
  const validator = validatorByConsensus(context, ed25519Address(publicKey))
  const wanted = power * powerReduction
  if (validator === undefined) return created(context, { publicKey, moniker, tokens: wanted })
  const { operator, tokens } = validator
  if (wanted > tokens) {
    const amount = wanted - tokens
    mint(context, operator, amount)
    delegate(context, { delegator: operator, validator, amount, source: 'account' })
  } else if (wanted < tokens) {
    unbondFromAll(context, validator, wanted)
  }
}

/** Unbonds the tokens above `wanted`. */
function unbondFromAll(context: Context, { operator, tokens, minSelfDelegation }: Validator, wanted: bigint): void {
  const others = delegatorsTo(context, operator).filter((each) => !equalBytes(each, operator))
  // With a smaller self-delegation, the validator would be jailed.
  const least = minSelfDelegation > powerReduction ? minSelfDelegation : powerReduction
  let left = tokens - wanted
  for (const delegator of [operator, ...others]) {
    const pair = { delegator, operator }
    const kept = delegator !== operator ? 0n : wanted < least ? wanted : least
    const spare = worthOf(context, pair) - kept
    const part = spare < left ? spare : left
    if (part <= 0n) continue
    undelegate(context, pair, sharesToUnbond(context, pair, part))
    left -= part
  }
}

/** Returns the value of a delegation in tokens. */
function worthOf(context: Context, pair: DelegationPair): bigint {
  const validator = findValidator(context, pair.operator)
  const shares = findDelegation(context, pair)?.shares ?? 0n
  return validator === undefined || shares === 0n ? 0n : truncated(tokensOfShares(validator, shares))
}

type Made = { readonly publicKey: Uint8Array; readonly moniker: string; readonly tokens: bigint }

function created(context: Context, { publicKey, moniker, tokens }: Made): void {
  const operator = ed25519Address(publicKey)
  if (getAccount(context, operator) === undefined) createAccount(context, operator)
  mint(context, operator, tokens)
  const description = { moniker, identity: '', website: '', securityContact: '', details: '' }
  const rates = { rate: one / 10n, maxRate: one / 5n, maxChangeRate: one / 100n }
  createValidator(context, {
    operator,
    description,
    commission: { rates, updateTime: blockTime(context) },
    minSelfDelegation: 1n,
    publicKey: {
      typeUrl: '/cosmos.crypto.ed25519.PubKey',
      value: Ed25519PubKey.encode({ key: publicKey }),
    },
    value: { denom: stakingParams(context).bondDenom, amount: tokens },
  })
}

function mint(context: Context, address: Uint8Array, amount: bigint): void {
  const denom = stakingParams(context).bondDenom
  setBalance(context, address, { denom, amount: getBalance(context, address, denom) + amount })
  setSupply(context, { denom, amount: getSupply(context, denom) + amount })
}

/**
 * Jails a validator after slashing a share of its stake, or unjails it at once, even before its
 * jail time ends.
 */
function setJailed(context: Context, { consensus, isJailed, fraction }: Of<'setJailed'>): void {
  const validator = validatorByConsensus(context, consensus)
  if (validator === undefined) throw new NoSuchValidator()
  if (!isJailed) return free(context, consensus, validator)
  if (fraction > 0n) {
    slash(context, consensus, { height: context.block.height, power: consensusPower(validator), fraction })
  }
  const slashed = validatorByConsensus(context, consensus)
  if (slashed !== undefined) jailValidator(context, slashed)
}

function free(context: Context, consensus: Uint8Array, validator: Validator): void {
  const info = signingInfo(context, consensus)
  if (info !== undefined) setSigningInfo(context, consensus, { ...info, jailedUntil: zeroTime })
  if (validator.jailed) unjailValidator(context, validator)
}

/** No validator has a consensus key with this address. */
export class NoSuchValidator extends SimError {
  constructor() {
    super('NO_SUCH_VALIDATOR', 'no validator signs with this key')
  }
}
