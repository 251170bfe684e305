/** The types of fee allowance, and the fees that each permits (x/feegrant). */
import { timestamp } from '../../../../codec/protobuf/timestamp.ts'
import { always, message, nested, repeated, text } from '../../../../codec/protobuf/message.ts'
import { addNanos, compareTime, type Time } from '../../../../data/time.ts'
import { blockTime } from '../../blockTime.ts'
import type { Context } from '../../context.ts'
import { sdkError, TxError } from '../../txError.ts'
import { anyMessage, coinField, durationField, type StoredAny, timeField } from '../../wire.ts'
import { areValid, type Coin, coinsText } from '../../coins.ts'
import { amountOf, subtractCoinSets } from '../../coinSets.ts'

export type Basic = { spendLimit: readonly Coin[]; expiration: Time | undefined }
export type Periodic = {
  basic: Basic
  period: bigint
  periodSpendLimit: readonly Coin[]
  periodCanSpend: readonly Coin[]
  periodReset: Time
}
export type AllowedMsg = { allowance: StoredAny | undefined; allowedMessages: readonly string[] }

const basicMessage = message<Basic>({
  1: ['spendLimit', repeated(coinField)],
  2: ['expiration', nested(timestamp)],
})
const periodicMessage = message<Periodic>({
  1: ['basic', always(basicMessage)],
  2: ['period', durationField],
  3: ['periodSpendLimit', repeated(coinField)],
  4: ['periodCanSpend', repeated(coinField)],
  5: ['periodReset', timeField],
})
const allowedMessage = message<AllowedMsg>({
  1: ['allowance', nested(anyMessage)],
  2: ['allowedMessages', repeated(text)],
})

const prefix = '/cosmos.feegrant.v1beta1.'
const basicUrl = `${prefix}BasicAllowance`
const periodicUrl = `${prefix}PeriodicAllowance`
const allowedUrl = `${prefix}AllowedMsgAllowance`
const gasPerMessage = 10n

/** Returns an error of codespace `feegrant`. */
function feegrantError(code: number, text: string): TxError {
  return new TxError(text, { code, codespace: 'feegrant' })
}

/**
 * Returns the expiration of an allowance; undefined if it has none. Throws if it is not an
 * allowance.
 */
export function expirationOf({ typeUrl, value }: StoredAny): Time | undefined {
  switch (typeUrl) {
    case basicUrl:
      return basicMessage.decode(value).expiration
    case periodicUrl:
      return periodicMessage.decode(value).basic.expiration
    case allowedUrl:
      return expirationOf(innerOf(allowedMessage.decode(value)))
    default:
      throw sdkError(
        'txDecode',
        `no concrete type registered for type URL ${typeUrl} against interface *feegrant.FeeAllowanceI`,
      )
  }
}

function innerOf({ allowance }: AllowedMsg): StoredAny {
  if (allowance === undefined) throw feegrantError(5, 'allowance should not be empty: no allowance')
  return allowance
}

/** Throws if an allowance is invalid, whatever the state. */
export function checkAllowance({ typeUrl, value }: StoredAny): void {
  if (typeUrl === basicUrl) return checkBasic(basicMessage.decode(value))
  if (typeUrl === allowedUrl) {
    const allowed = allowedMessage.decode(value)
    const inner = innerOf(allowed)
    if (allowed.allowedMessages.length === 0) {
      throw feegrantError(6, "allowed messages shouldn't be empty: allowed messages are empty")
    }
    return checkAllowance(inner)
  }
  const { basic, period, periodSpendLimit, periodCanSpend } = periodicMessage.decode(value)
  checkBasic(basic)
  if (!areValid(periodSpendLimit)) {
    throw sdkError('invalidCoins', `spend amount is invalid: ${coinsText(periodSpendLimit)}`)
  }
  if (periodSpendLimit.length === 0) throw sdkError('invalidCoins', 'spend limit must be positive')
  if (!areValid(periodCanSpend)) {
    throw sdkError('invalidCoins', `can spend amount is invalid: ${coinsText(periodCanSpend)}`)
  }
  const isForeign = ({ denom }: Coin) => amountOf(basic.spendLimit, denom) === 0n
  if (basic.spendLimit.length > 0 && periodSpendLimit.some(isForeign)) {
    throw sdkError('invalidCoins', 'period spend limit has different currency than basic spend limit')
  }
  if (period < 0n) throw feegrantError(4, 'negative clock step: invalid duration')
}

function checkBasic({ spendLimit, expiration }: Basic): void {
  if (!areValid(spendLimit)) {
    throw sdkError('invalidCoins', `send amount is invalid: ${coinsText(spendLimit)}`)
  }
  if (expiration !== undefined && expiration.seconds < 0n) {
    throw feegrantError(4, 'expiration time cannot be negative: invalid duration')
  }
}

/** A fee to pay from an allowance, with the types of the transaction's messages. */
export type Spending = { readonly fee: readonly Coin[]; readonly typeUrls: readonly string[] }

/**
 * Returns the allowance after a fee; undefined if it is used up. Throws `Exhausted` if it has
 * expired, and the SDK's errors if it does not cover the fee.
 */
export function spend(context: Context, { typeUrl, value }: StoredAny, spending: Spending): StoredAny | undefined {
  if (typeUrl === basicUrl) {
    const after = spendBasic(context, basicMessage.decode(value), spending)
    return after && { typeUrl, value: basicMessage.encode(after) }
  }
  if (typeUrl === periodicUrl) {
    const after = spendPeriodic(context, periodicMessage.decode(value), spending)
    return after && { typeUrl, value: periodicMessage.encode(after) }
  }
  const allowed = allowedMessage.decode(value)
  checkMessages(context, allowed, spending)
  const allowance = spend(context, innerOf(allowed), spending)
  return allowance && { typeUrl, value: allowedMessage.encode({ ...allowed, allowance }) }
}

function checkMessages(context: Context, { allowedMessages }: AllowedMsg, { typeUrls }: Spending): void {
  for (const _ of allowedMessages) context.gas.consume(gasPerMessage, 'check msg')
  for (const typeUrl of typeUrls) {
    context.gas.consume(gasPerMessage, 'check msg')
    if (!allowedMessages.includes(typeUrl)) {
      throw feegrantError(7, 'message does not exist in allowed messages: message not allowed')
    }
  }
}

function isOver(context: Context, { expiration }: Basic): boolean {
  return expiration !== undefined && compareTime(expiration, blockTime(context)) < 0
}

function spendBasic(context: Context, basic: Basic, { fee }: Spending): Basic | undefined {
  if (isOver(context, basic)) throw new Exhausted('basic allowance: fee allowance expired')
  if (basic.spendLimit.length === 0) return basic
  const spendLimit = subtractCoinSets(basic.spendLimit, fee)
  if (spendLimit === undefined) throw feegrantError(2, 'basic allowance: fee limit exceeded')
  return spendLimit.length === 0 ? undefined : { ...basic, spendLimit }
}

function spendPeriodic(context: Context, before: Periodic, { fee }: Spending): Periodic | undefined {
  if (isOver(context, before.basic)) throw new Exhausted('absolute limit: fee allowance expired')
  const current = renewed(context, before)
  const periodCanSpend = subtractCoinSets(current.periodCanSpend, fee)
  if (periodCanSpend === undefined) throw feegrantError(2, 'period limit: fee limit exceeded')
  if (current.basic.spendLimit.length === 0) return { ...current, periodCanSpend }
  const spendLimit = subtractCoinSets(current.basic.spendLimit, fee)
  if (spendLimit === undefined) throw feegrantError(2, 'absolute limit: fee limit exceeded')
  if (spendLimit.length === 0) return undefined
  return { ...current, periodCanSpend, basic: { ...current.basic, spendLimit } }
}

function renewed(context: Context, periodic: Periodic): Periodic {
  const now = blockTime(context)
  if (compareTime(now, periodic.periodReset) < 0) return periodic
  const {
    basic: { spendLimit },
    period,
    periodSpendLimit,
  } = periodic
  const isLess = spendLimit.length > 0 && subtractCoinSets(spendLimit, periodSpendLimit) === undefined
  const next = addNanos(periodic.periodReset, period)
  return {
    ...periodic,
    periodCanSpend: isLess ? spendLimit : periodSpendLimit,
    periodReset: compareTime(now, next) > 0 ? addNanos(now, period) : next,
  }
}

/** The allowance has expired. It is removed and the transaction is rejected. */
export class Exhausted extends TxError {
  constructor(text: string) {
    super(text, { code: 3, codespace: 'feegrant' })
  }
}
