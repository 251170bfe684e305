/** Fee allowances in the store `feegrant` (x/feegrant keeper). */
import { message, nested } from '../../../../codec/protobuf/message.ts'
import { compareTime } from '../../../../data/time.ts'
import { accountText } from '../../address.ts'
import { blockTime, timeKey } from '../../blockTime.ts'
import { emit, type Context } from '../../context.ts'
import { rangeUpTo, sized, storeKey } from '../../storeKeys.ts'
import { sdkError } from '../../txError.ts'
import { addressed, anyMessage, type StoredAny } from '../../wire.ts'
import { createAccount, getAccount } from '../auth/accounts.ts'
import { isBlocked } from '../bank/blocked.ts'
import { Exhausted, expirationOf, spend, type Spending } from './allowance.ts'

/** The granter, who pays the fees, and the grantee. */
export type Parties = { readonly granter: Uint8Array; readonly grantee: Uint8Array }
export type Grant = Parties & { readonly allowance: StoredAny | undefined }

export const grantMessage = addressed(({ account }) =>
  message<Grant>({
    1: ['granter', account],
    2: ['grantee', account],
    3: ['allowance', nested(anyMessage)],
  }),
)

const prefix = { allowance: 0, queue: 1 } as const

/** Returns the allowance between two accounts, or undefined. */
export function findGrant(context: Context, parties: Parties): Grant | undefined {
  const value = context.store('feegrant').get(grantKey(parties))
  return value === undefined ? undefined : grantMessage(context).decode(value)
}

/** Returns the allowance between two accounts. Throws the SDK's `fee-grant not found`. */
function getGrant(context: Context, parties: Parties): StoredAny {
  const allowance = findGrant(context, parties)?.allowance
  if (allowance === undefined) throw sdkError('notFound', 'fee-grant not found')
  return allowance
}

/** Grants an allowance. Throws if one exists already or it has expired. */
export function grantAllowance(context: Context, parties: Parties, allowance: StoredAny): void {
  const { granter, grantee } = parties
  if (findGrant(context, parties) !== undefined) {
    throw sdkError('invalidRequest', 'fee allowance already exists')
  }
  if (getAccount(context, grantee) === undefined) {
    if (isBlocked(grantee)) {
      throw sdkError('unauthorized', `${accountText(context, grantee)} is not allowed to receive funds`)
    }
    createAccount(context, grantee)
  }
  const expiration = expirationOf(allowance)
  if (expiration !== undefined && compareTime(expiration, blockTime(context)) < 0) {
    throw sdkError('invalidRequest', 'expiration is before current block time')
  }
  if (expiration !== undefined) {
    const key = storeKey(prefix.queue, timeKey(expiration), sized(grantee), sized(granter))
    context.store('feegrant').set(key, new Uint8Array(0))
  }
  context.store('feegrant').set(grantKey(parties), grantMessage(context).encode({ ...parties, allowance }))
  emitParties(context, 'set_feegrant', parties)
}

/** Revokes an allowance. Throws if it does not exist. */
export function revokeAllowance(context: Context, parties: Parties): void {
  const allowance = getGrant(context, parties)
  context.store('feegrant').delete(grantKey(parties))
  const expiration = expirationOf(allowance)
  if (expiration !== undefined) {
    const { granter, grantee } = parties
    // The node builds this key with the two accounts swapped, so the entry is not deleted.
    const key = storeKey(prefix.queue, timeKey(expiration), sized(granter), sized(grantee))
    context.store('feegrant').delete(key)
  }
  emitParties(context, 'revoke_feegrant', parties)
}

/** Pays a fee from an allowance. Throws if it does not cover the fee. */
export function useGrant(context: Context, parties: Parties, spending: Spending): void {
  const allowance = getGrant(context, parties)
  let after: StoredAny | undefined
  try {
    after = spend(context, allowance, spending)
  } catch (error) {
    if (error instanceof Exhausted) revokeAllowance(context, parties)
    throw error
  }
  if (after === undefined) {
    revokeAllowance(context, parties)
    return emitParties(context, 'use_feegrant', parties)
  }
  emitParties(context, 'use_feegrant', parties)
  getGrant(context, parties)
  context.store('feegrant').set(grantKey(parties), grantMessage(context).encode({ ...parties, allowance: after }))
  emitParties(context, 'update_feegrant', parties)
}

/** Removes at most `most` expired allowances. */
export function pruneAllowances(context: Context, most: number): void {
  const first = Uint8Array.of(prefix.queue)
  const range = rangeUpTo(first, storeKey(prefix.queue, timeKey(blockTime(context))))
  let count = 0
  for (const [key] of [...context.store('feegrant').iterate(range)]) {
    context.store('feegrant').delete(storeKey(prefix.allowance, key.slice(30)))
    context.store('feegrant').delete(key)
    count += 1
    if (count === most) return
  }
}

function grantKey({ granter, grantee }: Parties): Uint8Array {
  return storeKey(prefix.allowance, sized(grantee), sized(granter))
}

function emitParties(context: Context, type: string, { granter, grantee }: Parties): void {
  emit(context, type, { granter: accountText(context, granter), grantee: accountText(context, grantee) })
}
