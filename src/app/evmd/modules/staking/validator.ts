/** A validator, its encoding, and the conversion between shares and tokens (x/staking types). */
import { Ed25519PubKey } from '../../../../codec/messages/cosmos.ts'
import {
  always,
  bool,
  int64,
  message,
  nested,
  repeated,
  text,
  uint32,
  uint64,
} from '../../../../codec/protobuf/message.ts'
import { GoPanic } from '../../../../codec/comet.ts'
import { ed25519Address } from '../../../../crypto/ed25519.ts'
import type { Time } from '../../../../data/time.ts'
import { assert } from '../../../../errors.ts'
import { epoch } from '../../blockTime.ts'
import { divide, divideTruncate, one, truncated } from '../../decimal.ts'
import { sdkError } from '../../txError.ts'
import { addressed, anyMessage, digits, type StoredAny, timeField } from '../../wire.ts'

export type Description = {
  moniker: string
  identity: string
  website: string
  securityContact: string
  details: string
}

/** The longest parts of a description, in bytes, in the order of the SDK's checks. */
const longest = [
  ['moniker', 'moniker', 70],
  ['identity', 'identity', 3000],
  ['website', 'website', 140],
  ['securityContact', 'security contact', 140],
  ['details', 'details', 280],
] as const

/** Throws the SDK's error for the first part of a description that has too many bytes. */
export function checkDescription(description: Description): void {
  for (const [part, name, most] of longest) {
    const { length } = new TextEncoder().encode(description[part])
    if (length > most) throw sdkError('invalidRequest', `invalid ${name} length; got: ${length}, max: ${most}`)
  }
}

/** Commission rates, as 18-place decimals. */
export type Rates = { rate: bigint; maxRate: bigint; maxChangeRate: bigint }
export type Commission = { rates: Rates; updateTime: Time }

/** A validator. `tokens` is in the smallest unit; `delegatorShares` is an 18-place decimal. */
export type Validator = {
  operator: Uint8Array
  publicKey: StoredAny | undefined
  jailed: boolean
  status: number
  tokens: bigint
  delegatorShares: bigint
  description: Description
  unbondingHeight: bigint
  unbondingTime: Time
  commission: Commission
  minSelfDelegation: bigint
  unbondingOnHold: bigint
  unbondingIds: readonly bigint[]
}

/** BondStatus. */
export const status = { unbonded: 1, unbonding: 2, bonded: 3 } as const

export const statusNames = [
  'BOND_STATUS_UNSPECIFIED',
  'BOND_STATUS_UNBONDED',
  'BOND_STATUS_UNBONDING',
  'BOND_STATUS_BONDED',
] as const

export const descriptionMessage = message<Description>({
  1: ['moniker', text],
  2: ['identity', text],
  3: ['website', text],
  4: ['securityContact', text],
  5: ['details', text],
})
export const ratesMessage = message<Rates>({
  1: ['rate', digits],
  2: ['maxRate', digits],
  3: ['maxChangeRate', digits],
})

/** Codec of cosmos.staking.v1beta1.Validator. */
export const validatorMessage = addressed(({ operator }) =>
  message<Validator>({
    1: ['operator', operator],
    2: ['publicKey', nested(anyMessage)],
    3: ['jailed', bool],
    4: ['status', uint32],
    5: ['tokens', digits],
    6: ['delegatorShares', digits],
    7: ['description', always(descriptionMessage)],
    8: ['unbondingHeight', int64],
    9: ['unbondingTime', timeField],
    10: [
      'commission',
      always(
        message<Commission>({
          1: ['rates', always(ratesMessage)],
          2: ['updateTime', timeField],
        }),
      ),
    ],
    11: ['minSelfDelegation', digits],
    12: ['unbondingOnHold', int64],
    13: ['unbondingIds', repeated(uint64)],
  }),
)

/** Tokens per unit of voting power: 10^18, as on chains with 18 decimals. */
export const powerReduction = 10n ** 18n

/** Returns a new validator, unbonded and without tokens. */
export function newValidator(
  made: Pick<Validator, 'operator' | 'publicKey' | 'description' | 'commission' | 'minSelfDelegation'>,
): Validator {
  return {
    ...made,
    jailed: false,
    status: status.unbonded,
    tokens: 0n,
    delegatorShares: 0n,
    unbondingHeight: 0n,
    unbondingTime: epoch,
    unbondingOnHold: 0n,
    unbondingIds: [],
  }
}

/** Returns the bytes of a validator's consensus key. */
export function consensusKey({ publicKey }: Validator): Uint8Array {
  assert(publicKey !== undefined, 'a validator has a key')
  return Ed25519PubKey.decode(publicKey.value).key
}

/** Returns a validator's consensus address, 20 bytes. */
export function consensusAddress(validator: Validator): Uint8Array {
  return ed25519Address(consensusKey(validator))
}

/** Returns the voting power that corresponds to a validator's tokens. */
export function potentialPower({ tokens }: Validator): bigint {
  return tokens / powerReduction
}

/** Returns a validator's voting power; 0 unless bonded. */
export function consensusPower(validator: Validator): bigint {
  return validator.status === status.bonded ? potentialPower(validator) : 0n
}

/** Returns the tokens for shares, as an 18-place decimal, rounded. */
export function tokensOfShares({ tokens, delegatorShares }: Validator, shares: bigint): bigint {
  return divide(shares * tokens, delegatorShares)
}

/** Returns the tokens for shares, as an 18-place decimal, truncated. */
export function tokensOfSharesTruncated({ tokens, delegatorShares }: Validator, shares: bigint): bigint {
  return divideTruncate(shares * tokens, delegatorShares)
}

/** Returns the shares for tokens. Panics as the node does if the product exceeds what LegacyDec holds. */
export function sharesOfTokens({ tokens, delegatorShares }: Validator, amount: bigint): bigint {
  const product = delegatorShares * amount
  if (product > one << 256n) throw new GoPanic('Int overflow')
  return product / tokens
}

/** Returns whether a validator has shares but no tokens, so that nobody can delegate to it. */
export function hasInvalidRate({ tokens, delegatorShares }: Validator): boolean {
  return tokens === 0n && delegatorShares > 0n
}

/** Returns the validator with tokens added, and the shares issued for them. */
export function addTokens(
  validator: Validator,
  amount: bigint,
): { readonly validator: Validator; readonly shares: bigint } {
  const shares = validator.delegatorShares === 0n ? amount * one : sharesOfTokens(validator, amount)
  const { tokens, delegatorShares } = validator
  return {
    validator: { ...validator, tokens: tokens + amount, delegatorShares: delegatorShares + shares },
    shares,
  }
}

/**
 * Returns the validator without the shares, and their value in tokens. Removing the last shares
 * returns all remaining tokens.
 */
export function removeShares(
  validator: Validator,
  shares: bigint,
): { readonly validator: Validator; readonly amount: bigint } {
  const left = validator.delegatorShares - shares
  const amount = left === 0n ? validator.tokens : truncated(tokensOfShares(validator, shares))
  assert(amount <= validator.tokens, 'shares are worth no more than all tokens')
  return {
    validator: { ...validator, tokens: validator.tokens - amount, delegatorShares: left },
    amount,
  }
}
