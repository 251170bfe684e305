/** Messages of x/staking (msg_server.go). */
import { always, int64, message, nested, text } from '../../../../codec/protobuf/message.ts'
import { timestamp } from '../../../../codec/protobuf/timestamp.ts'
import { compareTime, type Time } from '../../../../data/time.ts'
import { namedAddress, addressOf, operatorOf } from '../../address.ts'
import { blockTime, secondText } from '../../blockTime.ts'
import { emit, type Context, type Handler } from '../../context.ts'
import { decimalText, one } from '../../decimal.ts'
import { handler } from '../../tx/handler.ts'
import { goError, sdkError } from '../../txError.ts'
import { anyMessage, coinField, coinMessage, digits, type StoredAny } from '../../wire.ts'
import { type Coin, coinsText, isDenom } from '../../coins.ts'
import { checkDenom, createValidator } from './createValidator.ts'
import { delegate, invalidRate, redelegate, sharesToUnbond, undelegate } from './delegate.ts'
import { editValidator, noChange } from './editValidator.ts'
import { stakingParams } from './params.ts'
import { findUnbonding, putUnbonding } from './unbondings.ts'
import { type Description, descriptionMessage, hasInvalidRate, type Rates, ratesMessage } from './validator.ts'
import { getValidator, stakingError } from './validators.ts'

type MsgDelegate = { delegator: string; validator: string; amount: Coin }
type MsgBeginRedelegate = { delegator: string; source: string; target: string; amount: Coin }
type MsgCancel = MsgDelegate & { height: bigint }
type MsgCreateValidator = {
  description: Description
  rates: Rates
  minSelfDelegation: bigint
  delegator: string
  validator: string
  publicKey: StoredAny | undefined
  value: Coin
}
type MsgEditValidator = {
  description: Description
  validator: string
  rate: string
  minSelfDelegation: string
}

const msgDelegate = message<MsgDelegate>({
  1: ['delegator', text],
  2: ['validator', text],
  3: ['amount', coinField],
})
const msgBeginRedelegate = message<MsgBeginRedelegate>({
  1: ['delegator', text],
  2: ['source', text],
  3: ['target', text],
  4: ['amount', coinField],
})
const msgCancel = message<MsgCancel>({
  1: ['delegator', text],
  2: ['validator', text],
  3: ['amount', coinField],
  4: ['height', int64],
})
const msgCreateValidator = message<MsgCreateValidator>({
  1: ['description', always(descriptionMessage)],
  2: ['rates', always(ratesMessage)],
  3: ['minSelfDelegation', digits],
  4: ['delegator', text],
  5: ['validator', text],
  6: ['publicKey', nested(anyMessage)],
  7: ['value', coinField],
})
const msgEditValidator = message<MsgEditValidator>({
  1: ['description', always(descriptionMessage)],
  2: ['validator', text],
  3: ['rate', text],
  4: ['minSelfDelegation', text],
})
/** The completion time of an unbonding or redelegation, and its amount. */
export const completion = message<{ time: Time | undefined; amount: Coin | undefined }>({
  1: ['time', nested(timestamp)],
  2: ['amount', nested(coinMessage)],
})

const prefix = '/cosmos.staking.v1beta1.'

export const stakingMessages: Readonly<Record<string, Handler>> = {
  [`${prefix}MsgCreateValidator`]: handler(
    msgCreateValidator,
    ({ validator }, at) => operatorOf(at, validator),
    create,
  ),
  [`${prefix}MsgEditValidator`]: handler(msgEditValidator, ({ validator }, at) => operatorOf(at, validator), edit),
  [`${prefix}MsgDelegate`]: handler(msgDelegate, ({ delegator }, at) => addressOf(at, delegator), runDelegate),
  [`${prefix}MsgUndelegate`]: handler(msgDelegate, ({ delegator }, at) => addressOf(at, delegator), runUndelegate),
  [`${prefix}MsgBeginRedelegate`]: handler(
    msgBeginRedelegate,
    ({ delegator }, at) => addressOf(at, delegator),
    runRedelegate,
  ),
  [`${prefix}MsgCancelUnbondingDelegation`]: handler(
    msgCancel,
    ({ delegator }, at) => addressOf(at, delegator),
    cancel,
  ),
}

/** Creates a validator with its operator's own delegation. */
export function create(context: Context, made: MsgCreateValidator): void {
  const operator = namedAddress(context, 'validator', made.validator, operatorOf)
  const { description, publicKey, minSelfDelegation, value } = made
  if (publicKey === undefined) throw stakingError(39, 'empty validator public key')
  checkNewValidator(made)
  createValidator(context, {
    operator,
    description,
    publicKey,
    minSelfDelegation,
    value,
    commission: { rates: made.rates, updateTime: blockTime(context) },
  })
}

function checkNewValidator({ value, description, rates, minSelfDelegation }: MsgCreateValidator): void {
  checkAmount(value, 'invalid delegation amount')
  if (isEmpty(description)) throw sdkError('invalidRequest', 'empty description')
  checkRates(rates)
  if (minSelfDelegation <= 0n) {
    throw sdkError('invalidRequest', 'minimum self delegation must be a positive integer')
  }
  if (value.amount < minSelfDelegation) {
    throw stakingError(16, "validator's self delegation must be greater than their minimum self delegation")
  }
}

function isEmpty(description: Description): boolean {
  return Object.values(description).every((part) => part === '')
}

function checkRates({ rate, maxRate, maxChangeRate }: Rates): void {
  if (maxRate < 0n || (maxRate <= one && rate < 0n)) {
    throw stakingError(9, 'commission must be positive')
  }
  if (maxRate > one) throw stakingError(10, 'commission cannot be more than 100%')
  if (rate > maxRate) throw stakingError(11, 'commission cannot be more than the max rate')
  if (maxChangeRate < 0n) throw stakingError(13, 'commission change rate must be positive')
  if (maxChangeRate > maxRate) {
    throw stakingError(14, 'commission change rate cannot be more than the max rate')
  }
}

/** Changes a validator's description, commission rate or minimum self-delegation. */
export function edit(context: Context, asked: MsgEditValidator): void {
  const operator = namedAddress(context, 'validator', asked.validator, operatorOf)
  const { description } = asked
  if (isEmpty(description)) throw sdkError('invalidRequest', 'empty description')
  const least = asked.minSelfDelegation === '' ? noChange : BigInt(asked.minSelfDelegation)
  const rate = asked.rate === '' ? noChange : BigInt(asked.rate)
  const { validator, commission } = editValidator(context, {
    operator,
    description,
    rate,
    minSelfDelegation: least,
  })
  emit(context, 'edit_validator', {
    commission_rate: commission,
    min_self_delegation: validator.minSelfDelegation.toString(),
  })
}

/** Delegates an amount, which must be in the bond denomination. */
export function runDelegate(context: Context, { delegator, validator: operator, amount }: MsgDelegate): void {
  const at = namedAddress(context, 'validator', operator, operatorOf)
  const from = namedAddress(context, 'delegator', delegator)
  checkAmount(amount, 'invalid delegation amount')
  const validator = getValidator(context, at)
  checkDenom(amount, stakingParams(context).bondDenom)
  const shares = delegate(context, {
    delegator: from,
    validator,
    amount: amount.amount,
    source: 'account',
  })
  emit(context, 'delegate', {
    validator: operator,
    delegator,
    amount: coinsText([amount]),
    new_shares: decimalText(shares),
  })
}

/** Starts unbonding stake. Returns the response. */
export function runUndelegate(context: Context, { delegator, validator, amount }: MsgDelegate): Uint8Array {
  const operator = namedAddress(context, 'validator', validator, operatorOf)
  const pair = { delegator: namedAddress(context, 'delegator', delegator), operator }
  checkAmount(amount, 'invalid shares amount')
  const shares = sharesToUnbond(context, pair, amount.amount)
  checkDenom(amount, stakingParams(context).bondDenom)
  const done = undelegate(context, pair, shares)
  const coin = { denom: amount.denom, amount: done.amount }
  emit(context, 'unbond', {
    validator,
    delegator,
    amount: coinsText([coin]),
    completion_time: secondText(done.completion),
  })
  return completion.encode({ time: done.completion, amount: coin })
}

/** Redelegates stake to another validator. Returns the response. */
export function runRedelegate(context: Context, asked: MsgBeginRedelegate): Uint8Array {
  const { amount } = asked
  const source = namedAddress(context, 'source validator', asked.source, operatorOf)
  const target = namedAddress(context, 'destination validator', asked.target, operatorOf)
  const delegator = namedAddress(context, 'delegator', asked.delegator)
  checkAmount(amount, 'invalid shares amount')
  const shares = sharesToUnbond(context, { delegator, operator: source }, amount.amount)
  checkDenom(amount, stakingParams(context).bondDenom)
  const time = redelegate(context, { delegator, source, target }, shares)
  emit(context, 'redelegate', {
    source_validator: asked.source,
    destination_validator: asked.target,
    amount: coinsText([amount]),
    completion_time: secondText(time),
  })
  return completion.encode({ time })
}

/** Cancels the unbonding of stake and delegates it again. */
export function cancel(context: Context, asked: MsgCancel): void {
  const { amount, height } = asked
  const operator = namedAddress(context, 'validator', asked.validator, operatorOf)
  const delegator = namedAddress(context, 'delegator', asked.delegator)
  checkAmount(amount, 'invalid amount')
  if (height <= 0n) throw sdkError('invalidRequest', 'invalid height')
  checkDenom(amount, stakingParams(context).bondDenom)
  const validator = getValidator(context, operator)
  if (hasInvalidRate(validator)) throw invalidRate()
  if (validator.jailed) throw stakingError(7, 'validator for this address is currently jailed')
  const unbonding = findUnbonding(context, { delegator, operator })
  if (unbonding === undefined) {
    // The node returns a gRPC status here, which is no registered error.
    throw goError(
      `rpc error: code = NotFound desc = unbonding delegation with delegator ` +
        `${asked.delegator} not found for validator ${asked.validator}`,
    )
  }
  const index = unbonding.entries.findIndex(({ creationHeight }) => creationHeight === height)
  const entry = unbonding.entries[index]
  if (entry === undefined) {
    throw sdkError('notFound', `unbonding delegation entry is not found at block height ${height}`)
  }
  if (entry.balance < amount.amount) {
    throw sdkError('invalidRequest', 'amount is greater than the unbonding delegation entry balance')
  }
  if (compareTime(entry.completionTime, blockTime(context)) < 0) {
    throw sdkError('invalidRequest', 'unbonding delegation is already processed')
  }
  delegate(context, { delegator, validator, amount: amount.amount, source: 'notBonded' })
  const balance = entry.balance - amount.amount
  const initialBalance = entry.initialBalance - amount.amount
  const entries =
    balance === 0n
      ? unbonding.entries.toSpliced(index, 1)
      : unbonding.entries.with(index, { ...entry, balance, initialBalance })
  putUnbonding(context, { ...unbonding, entries })
  emit(context, 'cancel_unbonding_delegation', {
    amount: coinsText([amount]),
    validator: asked.validator,
    delegator: asked.delegator,
    creation_height: height.toString(),
  })
}

function checkAmount({ denom, amount }: Coin, text: string): void {
  if (!isDenom(denom) || amount <= 0n) throw sdkError('invalidRequest', text)
}
