/** Validators in the store `staking`: records and indexes (x/staking keeper/validator.go). */
import { int64Value } from '../../../../codec/protobuf/comet.ts'
import { remembered } from '../../../../data/remembered.ts'
import type { Message } from '../../../../codec/protobuf/message.ts'
import type { Context } from '../../context.ts'
import { bigEndian, prefixRange, sized, storeKey } from '../../storeKeys.ts'
import { storedForm } from '../../storedForm.ts'
import { TxError } from '../../txError.ts'
import {
  addTokens,
  consensusAddress,
  potentialPower,
  removeShares,
  type Validator,
  validatorMessage,
} from './validator.ts'

const prefix = { lastPower: 0x11, validator: 0x21, byConsensus: 0x22, byPower: 0x23 } as const

const validatorForm = remembered((codec: Message<Validator>) => storedForm(codec))

/** The store and key prefix of all validators, ordered by operator. */
export const validatorsPlace = { store: 'staking', prefix: Uint8Array.of(prefix.validator) } as const

/** Returns an error of codespace `staking`. */
export function stakingError(code: number, text: string): TxError {
  return new TxError(text, { code, codespace: 'staking' })
}

/** Returns the validator of an operator, or undefined. */
export function findValidator(context: Context, operator: Uint8Array): Validator | undefined {
  return context.store('staking').read(validatorKey(operator), validatorForm(validatorMessage(context)))
}

/** Returns the validator of an operator. Throws the SDK's `validator does not exist`. */
export function getValidator(context: Context, operator: Uint8Array): Validator {
  const validator = findValidator(context, operator)
  if (validator === undefined) throw stakingError(3, 'validator does not exist')
  return validator
}

/** Returns the store key of a validator. */
export function validatorKey(operator: Uint8Array): Uint8Array {
  return storeKey(prefix.validator, sized(operator))
}

/** Returns the operator of the validator with this consensus address, without charging gas. */
export function operatorOfConsensus(context: Context, consensus: Uint8Array): Uint8Array | undefined {
  if (consensus.length === 0) return undefined
  return context.draft.raw('staking').get(storeKey(prefix.byConsensus, sized(consensus)))
}

/** Returns the validator with this consensus address, or undefined. */
export function validatorByConsensus(context: Context, consensus: Uint8Array): Validator | undefined {
  const operator = context.store('staking').get(storeKey(prefix.byConsensus, sized(consensus)))
  return operator === undefined ? undefined : findValidator(context, operator)
}

/** Returns all validators, ordered by operator. */
export function allValidators(context: Context): readonly Validator[] {
  const range = prefixRange(Uint8Array.of(prefix.validator))
  return [...context.store('staking').iterate(range)].map(([, value]) => validatorMessage(context).decode(value))
}

/** Stores a validator's record, without its indexes. */
export function setValidator(context: Context, validator: Validator): void {
  context.store('staking').set(validatorKey(validator.operator), validatorMessage(context).encode(validator))
}

/** Stores the operator of a validator under its consensus address. */
export function setByConsensus(context: Context, validator: Validator): void {
  const key = storeKey(prefix.byConsensus, sized(consensusAddress(validator)))
  context.store('staking').set(key, validator.operator)
}

/** Removes a validator's record and indexes. */
export function deleteValidator(context: Context, validator: Validator): void {
  const store = context.store('staking')
  store.delete(validatorKey(validator.operator))
  store.delete(storeKey(prefix.byConsensus, sized(consensusAddress(validator))))
  store.delete(powerKey(validator))
}

/** Adds a validator to the index by power, unless it is jailed. */
export function setByPower(context: Context, validator: Validator): void {
  if (!validator.jailed) context.store('staking').set(powerKey(validator), validator.operator)
}

/** Removes a validator from the index by power. */
export function deleteByPower(context: Context, validator: Validator): void {
  context.store('staking').delete(powerKey(validator))
}

/** Yields operators by power, highest first; with equal power, the lower address comes first. */
export function* operatorsByPower(context: Context): Generator<Uint8Array> {
  const range = { ...prefixRange(Uint8Array.of(prefix.byPower)), reverse: true }
  for (const [, operator] of context.store('staking').iterate(range)) yield operator
}

function powerKey(validator: Validator): Uint8Array {
  const inverted = validator.operator.map((byte) => 255 - byte)
  return storeKey(prefix.byPower, bigEndian(potentialPower(validator)), sized(inverted))
}

/** Stores a changed validator and its new entry in the index by power. */
export function replaceValidator(context: Context, before: Validator, after: Validator): void {
  deleteByPower(context, before)
  setValidator(context, after)
  setByPower(context, after)
}

/** Adds delegated tokens to a validator. Returns it and the new shares. */
export function addTokensTo(
  context: Context,
  before: Validator,
  amount: bigint,
): { readonly validator: Validator; readonly shares: bigint } {
  const added = addTokens(before, amount)
  replaceValidator(context, before, added.validator)
  return added
}

/** Removes shares from a validator. Returns it and the value of the shares in tokens. */
export function removeSharesFrom(
  context: Context,
  before: Validator,
  shares: bigint,
): { readonly validator: Validator; readonly amount: bigint } {
  const removed = removeShares(before, shares)
  replaceValidator(context, before, removed.validator)
  return removed
}

/** Removes tokens from a validator, at the expense of all its delegators. */
export function removeTokensFrom(context: Context, before: Validator, amount: bigint): void {
  replaceValidator(context, before, { ...before, tokens: before.tokens - amount })
}

/** Returns the powers of the last validator set, ordered by operator address. */
export function lastPowers(context: Context): readonly { readonly operator: Uint8Array; readonly power: bigint }[] {
  const range = prefixRange(Uint8Array.of(prefix.lastPower))
  return [...context.store('staking').iterate(range)].map(([key, value]) => ({
    operator: key.slice(2),
    power: int64Value.decode(value).value,
  }))
}

/** Stores a validator's power in the validator set. */
export function setLastPower(context: Context, operator: Uint8Array, power: bigint): void {
  const key = storeKey(prefix.lastPower, sized(operator))
  context.store('staking').set(key, int64Value.encode({ value: power }))
}

/** Removes a validator from the stored validator set. */
export function deleteLastPower(context: Context, operator: Uint8Array): void {
  context.store('staking').delete(storeKey(prefix.lastPower, sized(operator)))
}
