/** Slashes the stake of a validator that misbehaved (x/staking keeper/slash.go). */
import { compareTime, type Time } from '../../../../data/time.ts'
import { blockTime } from '../../blockTime.ts'
import type { Context } from '../../context.ts'
import { multiply, one, truncated } from '../../decimal.ts'
import { unbond } from './delegate.ts'
import { findDelegation } from './delegations.ts'
import { beforeValidatorSlashed } from '../../stakingHooks.ts'
import { bondedPool, burnPool, notBondedPool } from './pools.ts'
import {
  findUnbonding,
  putUnbonding,
  type Redelegation,
  redelegationsFrom,
  type Unbonding,
  unbondingsFrom,
} from './unbondings.ts'
import { powerReduction, status } from './validator.ts'
import { getValidator, removeTokensFrom, validatorByConsensus } from './validators.ts'

/**
 * Misbehavior of a validator: its power at that height, and the share to slash as an 18-place
 * decimal.
 */
export type Fault = { readonly height: bigint; readonly power: bigint; readonly fraction: bigint }

/**
 * Burns a share of the stake that a validator had at a height. Returns the burned tokens of the
 * validator's current stake.
 */
export function slash(context: Context, consensus: Uint8Array, fault: Fault): bigint {
  const wanted = truncated(multiply(fault.power * powerReduction * one, fault.fraction))
  const validator = validatorByConsensus(context, consensus)
  if (validator === undefined || validator.status === status.unbonded) return 0n
  const { operator } = validator
  let left = wanted
  if (fault.height < context.block.height) {
    for (const each of unbondingsFrom(context, operator)) {
      left -= slashUnbonding(context, each, fault)
    }
    for (const each of redelegationsFrom(context, operator)) {
      left -= slashRedelegation(context, each, fault)
    }
  }
  const burned = left < 0n ? 0n : left < validator.tokens ? left : validator.tokens
  if (burned === 0n) return 0n
  const fraction = roundedUp(burned, validator.tokens)
  beforeValidatorSlashed(context, operator, fraction < one ? fraction : one)
  removeTokensFrom(context, validator, burned)
  burnPool(context, validator.status === status.bonded ? bondedPool : notBondedPool, burned)
  return burned
}

function roundedUp(amount: bigint, total: bigint): bigint {
  return (amount * one + total - 1n) / total
}

function isLiable(
  context: Context,
  entry: { creationHeight: bigint; completionTime: Time; onHold: bigint },
  height: bigint,
): boolean {
  if (entry.creationHeight < height) return false
  return entry.onHold > 0n || compareTime(entry.completionTime, blockTime(context)) > 0
}

/**
 * Slashes an unbonding delegation. Returns the loss computed from the initial balances, even if
 * less remained.
 */
function slashUnbonding(context: Context, unbonding: Unbonding, fault: Fault): bigint {
  let total = 0n
  let burned = 0n
  const entries = unbonding.entries.map((entry) => {
    if (!isLiable(context, entry, fault.height)) return entry
    const wanted = truncated(fault.fraction * entry.initialBalance)
    total += wanted
    const taken = wanted < entry.balance ? wanted : entry.balance
    burned += taken
    return taken === 0n ? entry : { ...entry, balance: entry.balance - taken }
  })
  if (burned > 0n) putUnbonding(context, { ...unbonding, entries })
  burnPool(context, notBondedPool, burned)
  return total
}

function slashRedelegation(context: Context, redelegation: Redelegation, fault: Fault): bigint {
  const pair = { delegator: redelegation.delegator, operator: redelegation.target }
  let total = 0n
  let fromBonded = 0n
  let fromNotBonded = 0n
  for (const entry of redelegation.entries) {
    if (!isLiable(context, entry, fault.height)) continue
    const wanted = truncated(fault.fraction * entry.initialBalance)
    total += wanted
    const taken = takeFromUnbonding(context, findUnbonding(context, pair), { fault, wanted })
    fromNotBonded += taken
    const delegation = findDelegation(context, pair)
    const share = multiply(fault.fraction, entry.sharesTarget)
    if (share === 0n || wanted === taken || delegation === undefined) continue
    const burned = unbond(context, pair, share < delegation.shares ? share : delegation.shares)
    const { status: now } = getValidator(context, pair.operator)
    if (now === status.bonded) fromBonded += burned
    else fromNotBonded += burned
  }
  burnPool(context, bondedPool, fromBonded)
  burnPool(context, notBondedPool, fromNotBonded)
  return total
}

/** Slashes redelegated stake that is now unbonding, before any other. Returns the tokens taken. */
function takeFromUnbonding(
  context: Context,
  unbonding: Unbonding | undefined,
  { fault, wanted }: { fault: Fault; wanted: bigint },
): bigint {
  if (unbonding === undefined) return 0n
  let taken = 0n
  const entries = unbonding.entries.map((entry) => {
    if (!isLiable(context, entry, fault.height)) return entry
    const part = wanted - taken < entry.balance ? wanted - taken : entry.balance
    taken += part
    return { ...entry, balance: entry.balance - part }
  })
  if (taken > 0n) putUnbonding(context, { ...unbonding, entries })
  return taken
}
