/**
 * Unbonding delegations and redelegations, with their indexes and the queues by completion time
 * (x/staking keeper/delegation.go, unbonding.go).
 */
import { always, int64, message, repeated, uint64 } from '../../../../codec/protobuf/message.ts'
import type { Time } from '../../../../data/time.ts'
import { timeKey } from '../../blockTime.ts'
import type { Context } from '../../context.ts'
import { bigEndian, prefixRange, rangeUpTo, readBigEndian, sized, storeKey } from '../../storeKeys.ts'
import { addressed, digits, timeField } from '../../wire.ts'
import type { DelegationPair } from './delegations.ts'

export type UnbondingEntry = {
  creationHeight: bigint
  completionTime: Time
  initialBalance: bigint
  balance: bigint
  id: bigint
  onHold: bigint
}
export type Unbonding = DelegationPair & { entries: readonly UnbondingEntry[] }

/** A delegator's redelegation from one validator to another. */
export type Move = {
  readonly delegator: Uint8Array
  readonly source: Uint8Array
  readonly target: Uint8Array
}
export type RedelegationEntry = Omit<UnbondingEntry, 'balance'> & { sharesTarget: bigint }
export type Redelegation = Move & { entries: readonly RedelegationEntry[] }

export const unbondingMessage = addressed(({ account, operator }) =>
  message<Unbonding>({
    1: ['delegator', account],
    2: ['operator', operator],
    3: [
      'entries',
      repeated(
        always(
          message<UnbondingEntry>({
            1: ['creationHeight', int64],
            2: ['completionTime', timeField],
            3: ['initialBalance', digits],
            4: ['balance', digits],
            5: ['id', uint64],
            6: ['onHold', int64],
          }),
        ),
      ),
    ],
  }),
)
export const redelegationMessage = addressed(({ account, operator }) =>
  message<Redelegation>({
    1: ['delegator', account],
    2: ['source', operator],
    3: ['target', operator],
    4: [
      'entries',
      repeated(
        always(
          message<RedelegationEntry>({
            1: ['creationHeight', int64],
            2: ['completionTime', timeField],
            3: ['initialBalance', digits],
            4: ['sharesTarget', digits],
            5: ['id', uint64],
            6: ['onHold', int64],
          }),
        ),
      ),
    ],
  }),
)
const pairs = addressed(({ account, operator }) =>
  message<{ items: readonly DelegationPair[] }>({
    1: [
      'items',
      repeated(
        always(
          message<DelegationPair>({
            1: ['delegator', account],
            2: ['operator', operator],
          }),
        ),
      ),
    ],
  }),
)
const moves = addressed(({ account, operator }) =>
  message<{ items: readonly Move[] }>({
    1: [
      'items',
      repeated(
        always(
          message<Move>({
            1: ['delegator', account],
            2: ['source', operator],
            3: ['target', operator],
          }),
        ),
      ),
    ],
  }),
)

const prefix = {
  unbonding: 0x32,
  byValidator: 0x33,
  redelegation: 0x34,
  bySource: 0x35,
  byTarget: 0x36,
  nextId: 0x37,
  byId: 0x38,
  typeOfId: 0x39,
  unbondingQueue: 0x41,
  redelegationQueue: 0x42,
} as const
const nothing = new Uint8Array(0)

/** Returns the next unbonding ID of any type and increments it. */
export function takeUnbondingId(context: Context): bigint {
  const store = context.store('staking')
  const key = Uint8Array.of(prefix.nextId)
  const id = readBigEndian(store.get(key)) + 1n
  store.set(key, bigEndian(id))
  return id
}

/** UnbondingType. */
export const unbondingType = { delegation: 1n, redelegation: 2n, validator: 3n } as const

/** Stores the record of an unbonding ID: its key and type. */
export function setUnbondingId(
  context: Context,
  id: bigint,
  { key, type }: { readonly key: Uint8Array; readonly type: bigint },
): void {
  const store = context.store('staking')
  store.set(storeKey(prefix.byId, bigEndian(id)), key)
  store.set(storeKey(prefix.typeOfId, bigEndian(id)), bigEndian(type))
}

/** Deletes an unbonding ID. */
export function deleteUnbondingId(context: Context, id: bigint): void {
  context.store('staking').delete(storeKey(prefix.byId, bigEndian(id)))
}

/** Returns the key of an unbonding delegation. */
export function unbondingKey({ delegator, operator }: DelegationPair): Uint8Array {
  return storeKey(prefix.unbonding, sized(delegator), sized(operator))
}

/** Returns a delegator's unbonding delegation from a validator, or undefined. */
export function findUnbonding(context: Context, pair: DelegationPair): Unbonding | undefined {
  const value = context.store('staking').get(unbondingKey(pair))
  return value === undefined ? undefined : unbondingMessage(context).decode(value)
}

/** Stores an unbonding delegation, or removes it if it has no entries left. */
export function putUnbonding(context: Context, unbonding: Unbonding): void {
  const { delegator, operator } = unbonding
  const store = context.store('staking')
  const index = storeKey(prefix.byValidator, sized(operator), sized(delegator))
  if (unbonding.entries.length === 0) {
    store.delete(unbondingKey(unbonding))
    store.delete(index)
    return
  }
  store.set(unbondingKey(unbonding), unbondingMessage(context).encode(unbonding))
  store.set(index, nothing)
}

/** Returns the unbonding delegations from a validator, ordered by delegator. */
export function unbondingsFrom(context: Context, operator: Uint8Array): readonly Unbonding[] {
  const range = prefixRange(storeKey(prefix.byValidator, sized(operator)))
  return [...context.store('staking').iterate(range)].flatMap(
    ([key]) => findUnbonding(context, { operator, delegator: key.slice(3 + operator.length) }) ?? [],
  )
}

/** Returns the key of a redelegation. */
export function redelegationKey({ delegator, source, target }: Move): Uint8Array {
  return storeKey(prefix.redelegation, sized(delegator), sized(source), sized(target))
}

/** Returns the redelegation of a delegator between two validators, or undefined. */
export function findRedelegation(context: Context, move: Move): Redelegation | undefined {
  const value = context.store('staking').get(redelegationKey(move))
  return value === undefined ? undefined : redelegationMessage(context).decode(value)
}

/** Stores a redelegation, or removes it if it has no entries left. */
export function putRedelegation(context: Context, redelegation: Redelegation): void {
  const { delegator, source, target } = redelegation
  const store = context.store('staking')
  const indexes = [
    storeKey(prefix.bySource, sized(source), sized(delegator), sized(target)),
    storeKey(prefix.byTarget, sized(target), sized(delegator), sized(source)),
  ]
  if (redelegation.entries.length === 0) {
    for (const key of [redelegationKey(redelegation), ...indexes]) store.delete(key)
    return
  }
  store.set(redelegationKey(redelegation), redelegationMessage(context).encode(redelegation))
  for (const key of indexes) store.set(key, nothing)
}

/** Returns whether a delegator has an incomplete redelegation to a validator. */
export function isReceiving(context: Context, { delegator, operator }: DelegationPair): boolean {
  const range = prefixRange(storeKey(prefix.byTarget, sized(operator), sized(delegator)))
  for (const _ of context.store('staking').iterate(range)) return true
  return false
}

/** Returns the store and key prefix of a delegator's redelegations. */
export function redelegationsPlace(delegator: Uint8Array) {
  return { store: 'staking', prefix: storeKey(prefix.redelegation, sized(delegator)) } as const
}

/** Returns the store and key prefix of the index of redelegations from a validator (`moveAway`). */
export function redelegationsFromPlace(source: Uint8Array) {
  return { store: 'staking', prefix: storeKey(prefix.bySource, sized(source)) } as const
}

/**
 * Returns the redelegation for a key of that index. The key is a length-prefixed delegator, then a
 * length-prefixed target.
 */
export function moveAway(source: Uint8Array, key: Uint8Array): Move {
  const end = 1 + (key[0] ?? 0)
  return { delegator: key.slice(1, end), source, target: key.slice(end + 1) }
}

/** Returns the redelegations from a validator. */
export function redelegationsFrom(context: Context, source: Uint8Array): readonly Redelegation[] {
  const { store, prefix: start } = redelegationsFromPlace(source)
  return [...context.store(store).iterate(prefixRange(start))].flatMap(
    ([key]) => findRedelegation(context, moveAway(source, key.slice(start.length))) ?? [],
  )
}

/** Adds an unbonding delegation to the queue for a completion time. */
export function queueUnbonding(context: Context, { delegator, operator }: DelegationPair, time: Time): void {
  const key = storeKey(prefix.unbondingQueue, timeKey(time))
  const before = context.store('staking').get(key)
  const items = [...(before === undefined ? [] : pairs(context).decode(before).items), { delegator, operator }]
  context.store('staking').set(key, pairs(context).encode({ items }))
}

/** Adds a redelegation to the queue for a completion time. */
export function queueRedelegation(context: Context, { delegator, source, target }: Move, time: Time): void {
  const key = storeKey(prefix.redelegationQueue, timeKey(time))
  const before = context.store('staking').get(key)
  const items = [...(before === undefined ? [] : moves(context).decode(before).items), { delegator, source, target }]
  context.store('staking').set(key, moves(context).encode({ items }))
}

/**
 * Removes the unbonding delegations that are complete at a time from the queue and returns them.
 */
export function takeUnbondings(context: Context, time: Time): readonly DelegationPair[] {
  return takeQueue(context, prefix.unbondingQueue, time).flatMap((value) => pairs(context).decode(value).items)
}

/** Removes the redelegations that are complete at a time from the queue and returns them. */
export function takeRedelegations(context: Context, time: Time): readonly Move[] {
  return takeQueue(context, prefix.redelegationQueue, time).flatMap((value) => moves(context).decode(value).items)
}

function takeQueue(context: Context, first: number, time: Time): readonly Uint8Array[] {
  const range = rangeUpTo(Uint8Array.of(first), storeKey(first, timeKey(time)))
  const entries = [...context.store('staking').iterate(range)]
  for (const [key] of entries) context.store('staking').delete(key)
  return entries.map(([, value]) => value)
}
