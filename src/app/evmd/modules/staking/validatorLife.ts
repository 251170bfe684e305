/** Bonds, jails, unbonds and removes validators (x/staking keeper/val_state_change.go). */
import { message, repeated } from '../../../../codec/protobuf/message.ts'
import { equalBytes } from '../../../../data/bytes.ts'
import { compareTime, type Time } from '../../../../data/time.ts'
import { blockTime, timeAfter, timeKey } from '../../blockTime.ts'
import type { Context } from '../../context.ts'
import { bigEndian, rangeUpTo, readBigEndian, storeKey } from '../../storeKeys.ts'
import { addressed } from '../../wire.ts'
import { afterValidatorBonded, afterValidatorRemoved } from '../../stakingHooks.ts'
import { stakingParams } from './params.ts'
import { deleteUnbondingId, setUnbondingId, takeUnbondingId, unbondingType } from './unbondings.ts'
import { status, type Validator } from './validator.ts'
import {
  deleteByPower,
  deleteValidator,
  findValidator,
  getValidator,
  replaceValidator,
  setByPower,
  setValidator,
  stakingError,
  validatorKey,
} from './validators.ts'
import { parseTime } from '../../../../codec/time.ts'

const queuePrefix = 0x43
const operators = addressed(({ operator }) =>
  message<{
    items: readonly Uint8Array[]
  }>({ 1: ['items', repeated(operator)] }),
)

/** Jails a validator. It leaves the validator set at the end of the block. */
export function jailValidator(context: Context, validator: Validator): void {
  if (validator.jailed) {
    throw stakingError(7, 'cannot jail already jailed validator: validator for this address is currently jailed')
  }
  const jailed = { ...validator, jailed: true }
  setValidator(context, jailed)
  deleteByPower(context, jailed)
}

/** Unjails a validator. */
export function unjailValidator(context: Context, validator: Validator): void {
  const free = { ...validator, jailed: false }
  setValidator(context, free)
  setByPower(context, free)
}

/** Removes an unbonded validator without tokens. */
export function removeValidator(context: Context, operator: Uint8Array): void {
  const validator = findValidator(context, operator)
  if (validator === undefined) return
  if (validator.status !== status.unbonded) {
    throw stakingError(8, 'cannot call RemoveValidator on bonded or unbonding validators: failed to remove validator')
  }
  deleteValidator(context, validator)
  afterValidatorRemoved(context, validator)
}

/** Bonds a validator and returns it. */
export function bondValidator(context: Context, before: Validator): Validator {
  const validator = { ...before, status: status.bonded }
  replaceValidator(context, before, validator)
  leaveQueue(context, validator)
  afterValidatorBonded(context, validator)
  return validator
}

/**
 * Starts unbonding a validator and returns it. Its tokens can be slashed until the unbonding period
 * is over.
 */
export function beginUnbonding(context: Context, before: Validator): Validator {
  const params = stakingParams(context)
  deleteByPower(context, before)
  const id = takeUnbondingId(context)
  const validator = {
    ...before,
    status: status.unbonding,
    unbondingTime: timeAfter(context, params.unbondingTime),
    unbondingHeight: context.block.height,
    unbondingIds: [...before.unbondingIds, id],
  }
  setValidator(context, validator)
  setByPower(context, validator)
  queueValidator(context, validator)
  setUnbondingId(context, id, { key: validatorKey(validator.operator), type: unbondingType.validator })
  return validator
}

/**
 * Completes the unbonding of validators whose period is over. Those without delegations are
 * removed.
 */
export function unbondMatureValidators(context: Context): void {
  const now = blockTime(context)
  const last = queueKey(now, context.block.height)
  const range = rangeUpTo(Uint8Array.of(queuePrefix), last)
  for (const [key, value] of [...context.store('staking').iterate(range)]) {
    const { time, height } = parseQueueKey(key)
    if (height > context.block.height || compareTime(time, now) > 0) continue
    for (const operator of operators(context).decode(value).items) {
      const validator = getValidator(context, operator)
      if (validator.unbondingOnHold > 0n) continue
      for (const id of validator.unbondingIds) deleteUnbondingId(context, id)
      const unbonded = { ...validator, status: status.unbonded }
      setValidator(context, unbonded)
      if (unbonded.delegatorShares === 0n) removeValidator(context, operator)
      leaveQueue(context, unbonded)
    }
  }
}

/** Notes when an unbonding validator is to be unbonded. */
export function queueValidator(context: Context, validator: Validator): void {
  const key = queueKey(validator.unbondingTime, validator.unbondingHeight)
  const before = context.store('staking').get(key)
  const items = [...(before === undefined ? [] : operators(context).decode(before).items), validator.operator]
  context.store('staking').set(key, operators(context).encode({ items }))
}

function leaveQueue(context: Context, validator: Validator): void {
  const key = queueKey(validator.unbondingTime, validator.unbondingHeight)
  const before = context.store('staking').get(key)
  const items = (before === undefined ? [] : operators(context).decode(before).items).filter(
    (operator) => !equalBytes(operator, validator.operator),
  )
  if (items.length === 0) context.store('staking').delete(key)
  else context.store('staking').set(key, operators(context).encode({ items }))
}

function queueKey(time: Time, height: bigint): Uint8Array {
  const at = timeKey(time)
  return storeKey(queuePrefix, bigEndian(BigInt(at.length)), at, bigEndian(height))
}

function parseQueueKey(key: Uint8Array): { readonly time: Time; readonly height: bigint } {
  const end = 9 + Number(readBigEndian(key.subarray(1)))
  const text = new TextDecoder().decode(key.subarray(9, end))
  return { time: parseTime(`${text}Z`), height: readBigEndian(key.subarray(end)) }
}
