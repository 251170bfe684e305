/** Delegations in the store `staking` (x/staking keeper/delegation.go). */
import { message } from '../../../../codec/protobuf/message.ts'
import type { Context } from '../../context.ts'
import { prefixRange, sized, storeKey } from '../../storeKeys.ts'
import { addressed, digits } from '../../wire.ts'
import { stakingError } from './validators.ts'

/** A delegation; `shares` is an 18-place decimal. */
export type Delegation = { delegator: Uint8Array; operator: Uint8Array; shares: bigint }

/** A delegator and a validator's operator. */
export type DelegationPair = { readonly delegator: Uint8Array; readonly operator: Uint8Array }

export const delegationMessage = addressed(({ account, operator }) =>
  message<Delegation>({
    1: ['delegator', account],
    2: ['operator', operator],
    3: ['shares', digits],
  }),
)

const prefix = { delegation: 0x31, byValidator: 0x71 } as const
const nothing = new Uint8Array(0)

/** Returns a delegator's delegation to a validator, or undefined. */
export function findDelegation(context: Context, pair: DelegationPair): Delegation | undefined {
  const value = context.store('staking').get(delegationKey(pair))
  return value === undefined ? undefined : delegationMessage(context).decode(value)
}

/** Returns a delegator's delegation to a validator. Throws the SDK's error if there is none. */
export function getDelegation(context: Context, pair: DelegationPair): Delegation {
  const delegation = findDelegation(context, pair)
  if (delegation === undefined) {
    throw stakingError(19, 'no delegation for (address, validator) tuple')
  }
  return delegation
}

/** Stores a delegation and its entry in the index by validator. */
export function setDelegation(context: Context, delegation: Delegation): void {
  const store = context.store('staking')
  store.set(delegationKey(delegation), delegationMessage(context).encode(delegation))
  store.set(byValidatorKey(delegation), nothing)
}

/** Removes a delegation. */
export function deleteDelegation(context: Context, pair: DelegationPair): void {
  const store = context.store('staking')
  store.delete(delegationKey(pair))
  store.delete(byValidatorKey(pair))
}

/** Yields the delegations of a delegator, ordered by validator. */
export function* delegationsOf(context: Context, delegator: Uint8Array): Generator<Delegation> {
  const range = prefixRange(storeKey(prefix.delegation, sized(delegator)))
  for (const [, value] of context.store('staking').iterate(range)) {
    yield delegationMessage(context).decode(value)
  }
}

/** Returns the delegators of a validator, ordered by address. */
export function delegatorsTo(context: Context, operator: Uint8Array): readonly Uint8Array[] {
  const start = storeKey(prefix.byValidator, sized(operator))
  return [...context.store('staking').iterate(prefixRange(start))].map(([key]) => key.slice(start.length))
}

function delegationKey({ delegator, operator }: DelegationPair): Uint8Array {
  return storeKey(prefix.delegation, sized(delegator), sized(operator))
}

function byValidatorKey({ delegator, operator }: DelegationPair): Uint8Array {
  return storeKey(prefix.byValidator, sized(operator), delegator)
}
