/** Delegates, undelegates and redelegates (x/staking keeper/delegation.go). */
import { equalBytes } from '../../../../data/bytes.ts'
import { type Time, zeroTime } from '../../../../data/time.ts'
import { timeAfter } from '../../blockTime.ts'
import type { Context } from '../../context.ts'
import { decimalText, divideTruncate, one, truncated } from '../../decimal.ts'
import { sdkError } from '../../txError.ts'
import { delegateCoins } from '../bank/delegate.ts'
import { deleteDelegation, findDelegation, getDelegation, type DelegationPair, setDelegation } from './delegations.ts'
import { afterDelegationModified, beforeDelegationCreated, beforeSharesModified } from '../../stakingHooks.ts'
import { stakingParams } from './params.ts'
import { bondedPool, notBondedPool, toBonded, toNotBonded } from './pools.ts'
import {
  findRedelegation,
  findUnbonding,
  isReceiving,
  type Move,
  putRedelegation,
  putUnbonding,
  queueRedelegation,
  queueUnbonding,
  redelegationKey,
  setUnbondingId,
  takeUnbondingId,
  type UnbondingEntry,
  unbondingKey,
  unbondingType,
} from './unbondings.ts'
import { hasInvalidRate, sharesOfTokens, status, tokensOfShares, type Validator } from './validator.ts'
import { addTokensTo, findValidator, getValidator, removeSharesFrom, stakingError } from './validators.ts'
import { jailValidator, removeValidator } from './validatorLife.ts'

/** The source of a delegation's tokens: the delegator's account, or a pool. */
export type TokenSource = 'account' | 'bonded' | 'notBonded'

/** A delegation to make; `amount` is in the smallest unit. */
export type Stake = {
  readonly delegator: Uint8Array
  readonly validator: Validator
  readonly amount: bigint
  readonly source: TokenSource
}

/** Delegates tokens and returns the new shares. Throws the SDK's errors. */
export function delegate(context: Context, stake: Stake): bigint {
  const { delegator, validator, amount } = stake
  if (hasInvalidRate(validator)) throw invalidRate()
  const pair = { delegator, operator: validator.operator }
  const before = findDelegation(context, pair)
  if (before === undefined) beforeDelegationCreated(context, pair)
  else beforeSharesModified(context, pair)
  moveTokens(context, stake)
  const { shares } = addTokensTo(context, validator, amount)
  setDelegation(context, { ...pair, shares: (before?.shares ?? 0n) + shares })
  afterDelegationModified(context, pair)
  return shares
}

/** Returns the error for a validator that has shares but no tokens. */
export function invalidRate(): Error {
  return stakingError(34, 'cannot delegate to validators with invalid (zero) ex-rate')
}

function moveTokens(context: Context, { delegator, validator, amount, source }: Stake): void {
  const isBonded = validator.status === status.bonded
  if (source === 'account') {
    const { bondDenom: denom } = stakingParams(context)
    const pool = isBonded ? bondedPool : notBondedPool
    delegateCoins(context, { delegator, pool, coins: [{ denom, amount }] })
  } else if (source === 'bonded' && !isBonded) toNotBonded(context, amount)
  else if (source === 'notBonded' && isBonded) toBonded(context, amount)
}

/** Removes shares from a delegation and returns their value in tokens. */
export function unbond(context: Context, pair: DelegationPair, shares: bigint): bigint {
  const delegation = findDelegation(context, pair)
  if (delegation === undefined) throw stakingError(21, 'delegator does not contain delegation')
  beforeSharesModified(context, pair)
  if (delegation.shares < shares) {
    throw stakingError(24, `${decimalText(delegation.shares)}: not enough delegation shares`)
  }
  let validator = getValidator(context, pair.operator)
  const left = delegation.shares - shares
  const isOwn = equalBytes(pair.delegator, pair.operator)
  if (isOwn && !validator.jailed && truncated(tokensOfShares(validator, left)) < validator.minSelfDelegation) {
    jailValidator(context, validator)
    validator = getValidator(context, pair.operator)
  }
  if (left === 0n) deleteDelegation(context, pair)
  else {
    setDelegation(context, { ...delegation, shares: left })
    afterDelegationModified(context, pair)
  }
  const removed = removeSharesFrom(context, validator, shares)
  if (removed.validator.delegatorShares === 0n && removed.validator.status === status.unbonded) {
    removeValidator(context, pair.operator)
  }
  return removed.amount
}

/** Returns the shares for an amount to unbond. Throws if the delegation is smaller. */
export function sharesToUnbond(context: Context, pair: DelegationPair, amount: bigint): bigint {
  const validator = getValidator(context, pair.operator)
  const { shares: held } = getDelegation(context, pair)
  if (validator.tokens === 0n) throw stakingError(22, 'insufficient delegation shares')
  const shares = sharesOfTokens(validator, amount)
  const least = divideTruncate(validator.delegatorShares * amount, validator.tokens * one)
  if (least > held) throw sdkError('invalidRequest', 'invalid shares amount')
  return shares > held ? held : shares
}

/** Starts unbonding shares. Returns the completion time and the tokens. */
export function undelegate(
  context: Context,
  pair: DelegationPair,
  shares: bigint,
): { readonly completion: Time; readonly amount: bigint } {
  const validator = getValidator(context, pair.operator)
  const waiting = findUnbonding(context, pair)?.entries.length ?? 0
  if (waiting >= stakingParams(context).maxEntries) {
    throw stakingError(27, 'too many unbonding delegation entries for (delegator, validator) tuple')
  }
  const amount = unbond(context, pair, shares)
  if (validator.status === status.bonded) toNotBonded(context, amount)
  const completion = timeAfter(context, stakingParams(context).unbondingTime)
  addUnbonding(context, pair, { completion, amount })
  queueUnbonding(context, pair, completion)
  return { completion, amount }
}

function addUnbonding(
  context: Context,
  pair: DelegationPair,
  { completion, amount }: { completion: Time; amount: bigint },
): void {
  const id = takeUnbondingId(context)
  const entries = findUnbonding(context, pair)?.entries ?? []
  const made: UnbondingEntry = {
    creationHeight: context.block.height,
    completionTime: completion,
    initialBalance: amount,
    balance: amount,
    id,
    onHold: 0n,
  }
  // Entries with the same height and time are merged (types.UnbondingDelegation.AddEntry).
  const same = entries.findIndex(
    (each) =>
      each.creationHeight === made.creationHeight &&
      each.completionTime.seconds === completion.seconds &&
      each.completionTime.nanos === completion.nanos,
  )
  const { delegator, operator } = pair
  if (same >= 0) {
    const merged = entries.map((each, index) =>
      index === same
        ? {
            ...each,
            balance: each.balance + amount,
            initialBalance: each.initialBalance + amount,
          }
        : each,
    )
    putUnbonding(context, { delegator, operator, entries: merged })
    return
  }
  putUnbonding(context, { delegator, operator, entries: [...entries, made] })
  setUnbondingId(context, id, { key: unbondingKey(pair), type: unbondingType.delegation })
}

/** Moves shares to another validator and returns the completion time. */
export function redelegate(context: Context, move: Move, shares: bigint): Time {
  const { delegator, source, target } = move
  if (equalBytes(source, target)) {
    throw stakingError(29, 'cannot redelegate to the same validator')
  }
  const to = findValidator(context, target)
  if (to === undefined) throw stakingError(31, 'redelegation destination validator not found')
  const from = findValidator(context, source)
  if (from === undefined) throw stakingError(31, 'redelegation destination validator not found')
  if (isReceiving(context, { delegator, operator: source })) {
    throw stakingError(
      32,
      'redelegation to this validator already in progress; first redelegation to ' +
        'this validator must complete before next redelegation',
    )
  }
  const waiting = findRedelegation(context, move)
  // The node reads the parameters only if there are entries to compare, which affects gas.
  if (waiting !== undefined && waiting.entries.length >= stakingParams(context).maxEntries) {
    throw stakingError(33, 'too many redelegation entries for (delegator, src-validator, dst-validator) tuple')
  }
  const amount = unbond(context, { delegator, operator: source }, shares)
  if (amount === 0n) {
    throw stakingError(30, 'too few tokens to redelegate (truncates to zero tokens)')
  }
  const tokenSource = from.status === status.bonded ? 'bonded' : 'notBonded'
  const sharesTarget = delegate(context, { delegator, validator: to, amount, source: tokenSource })
  return finishMove(context, move, { amount, sharesTarget })
}

/**
 * Stores a redelegation and returns its completion time. If the source validator is not bonded, the
 * redelegation ends with that validator's unbonding, or at once.
 */
function finishMove(
  context: Context,
  move: Move,
  moved: { readonly amount: bigint; readonly sharesTarget: bigint },
): Time {
  const from = findValidator(context, move.source)
  const { unbondingTime } = stakingParams(context)
  if (from?.status === status.unbonded) return zeroTime
  const isUnbonding = from?.status === status.unbonding
  const completion = isUnbonding ? from.unbondingTime : timeAfter(context, unbondingTime)
  const id = takeUnbondingId(context)
  const entries = findRedelegation(context, move)?.entries ?? []
  const { delegator, source, target } = move
  putRedelegation(context, {
    delegator,
    source,
    target,
    entries: [
      ...entries,
      {
        creationHeight: isUnbonding ? from.unbondingHeight : context.block.height,
        completionTime: completion,
        initialBalance: moved.amount,
        sharesTarget: moved.sharesTarget,
        id,
        onHold: 0n,
      },
    ],
  })
  setUnbondingId(context, id, { key: redelegationKey(move), type: unbondingType.redelegation })
  queueRedelegation(context, move, completion)
  return completion
}
