/** Validators in the store `staking` (cosmos-sdk x/staking). */
import { Any } from '../../../../codec/protobuf/cosmos.ts'
import {
  bool, bytes, int64, message, nested, repeated, text, uint32, uint64,
} from '../../../../codec/protobuf/message.ts'
import { concatBytes } from '../../../../data/bytes.ts'
import { operatorText } from '../../address.ts'
import type { Context } from '../../context.ts'

type ProtoAny = { typeUrl: string; value: Uint8Array }
export type Description = {
  moniker: string
  identity: string
  website: string
  securityContact: string
  details: string
}
export type Rates = { rate: string; maxRate: string; maxChangeRate: string }
type Timestamp = { seconds: bigint; nanos: bigint }
type Commission = { rates: Rates | undefined; updateTime: Timestamp | undefined }

/** A validator as the store and queries have it; shares and rates are 18-place decimals as digits. */
export type Validator = {
  operatorAddress: string
  consensusPubkey: ProtoAny | undefined
  jailed: boolean
  status: number
  tokens: string
  delegatorShares: string
  description: Description | undefined
  unbondingHeight: bigint
  unbondingTime: Timestamp | undefined
  commission: Commission | undefined
  minSelfDelegation: string
  unbondingOnHoldRefCount: bigint
  unbondingIds: readonly bigint[]
}

/** The status of a validator that signs blocks. */
export const bonded = 3

const timestamp = message<Timestamp>({ 1: ['seconds', int64], 2: ['nanos', int64] })
const any = message<ProtoAny>({ 1: ['typeUrl', text], 2: ['value', bytes] })
const description = message<Description>({
  1: ['moniker', text], 2: ['identity', text], 3: ['website', text], 4: ['securityContact', text],
  5: ['details', text],
})
const rates = message<Rates>({
  1: ['rate', text], 2: ['maxRate', text], 3: ['maxChangeRate', text],
})
const commission = message<Commission>({
  1: ['rates', nested(rates)], 2: ['updateTime', nested(timestamp)],
})

/** Codec of a validator (cosmos.staking.v1beta1.Validator). */
export const validator = message<Validator>({
  1: ['operatorAddress', text],
  2: ['consensusPubkey', nested(any)],
  3: ['jailed', bool],
  4: ['status', uint32],
  5: ['tokens', text],
  6: ['delegatorShares', text],
  7: ['description', nested(description)],
  8: ['unbondingHeight', int64],
  9: ['unbondingTime', nested(timestamp)],
  10: ['commission', nested(commission)],
  11: ['minSelfDelegation', text],
  12: ['unbondingOnHoldRefCount', int64],
  13: ['unbondingIds', repeated(uint64)],
})

/** Returns the validator of an operator, or undefined. */
export function getValidator(context: Context, operator: Uint8Array): Validator | undefined {
  const value = context.store('staking').get(key(0x21, operator))
  return value === undefined ? undefined : validator.decode(value)
}

/** Stores a validator, its consensus address and what it has delegated to itself. */
export function setValidator(
  context: Context, value: Validator, addresses: { operator: Uint8Array; consensus: Uint8Array },
): void {
  const { operator, consensus } = addresses
  context.store('staking').set(key(0x21, operator), validator.encode(value))
  context.store('staking').set(key(0x22, consensus), operator)
}

/** Returns the operator, 20 bytes, of the validator that signs with a key of this address. */
export function operatorOfConsensus(
  context: Context, consensus: Uint8Array,
): Uint8Array | undefined {
  if (consensus.length === 0) return undefined
  return context.draft.raw('staking').get(key(0x22, consensus))
}

/** Returns all validators in the order of their operators. */
export function allValidators(context: Context): readonly Validator[] {
  const range = { start: Uint8Array.of(0x21), end: Uint8Array.of(0x22) }
  return [...context.store('staking').iterate(range)].map(([, value]) => validator.decode(value))
}

/** Returns a bonded validator with its tokens as shares. */
export function bondedValidator(options: {
  readonly operator: Uint8Array
  readonly publicKey: Any
  readonly tokens: bigint
  readonly description: Description
  readonly rates: Rates
  readonly minSelfDelegation: bigint
}): Validator {
  return {
    operatorAddress: operatorText(options.operator),
    consensusPubkey: options.publicKey,
    jailed: false,
    status: bonded,
    tokens: options.tokens.toString(),
    delegatorShares: (options.tokens * 10n ** 18n).toString(),
    description: options.description,
    unbondingHeight: 0n,
    unbondingTime: { seconds: 0n, nanos: 0n },
    commission: { rates: options.rates, updateTime: undefined },
    minSelfDelegation: options.minSelfDelegation.toString(),
    unbondingOnHoldRefCount: 0n,
    unbondingIds: [],
  }
}

function key(prefix: number, address: Uint8Array): Uint8Array {
  return concatBytes([Uint8Array.of(prefix, address.length), address])
}
