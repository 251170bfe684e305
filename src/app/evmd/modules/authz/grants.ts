/**
 * Authorizations in the store `authz`, and the execution of messages under them (x/authz keeper).
 */
import { goText } from '../../../../codec/goText.ts'
import { timestamp } from '../../../../codec/protobuf/timestamp.ts'
import { message, nested, repeated, text } from '../../../../codec/protobuf/message.ts'
import { compactText } from '../../../../codec/schema/compactText.ts'
import { equalBytes } from '../../../../data/bytes.ts'
import { compareTime, type Time } from '../../../../data/time.ts'
import { accountText } from '../../address.ts'
import { blockTime, secondText, timeKey } from '../../blockTime.ts'
import { emit, type Context } from '../../context.ts'
import { rangeUpTo, sized, storeKey } from '../../storeKeys.ts'
import { type AnyMessage, runInner } from '../../tx/runHandler.ts'
import { refusalOf } from '../../txError.ts'
import { anyMessage, type StoredAny } from '../../wire.ts'
import { accept, authzError, messageTypeOf } from './authorization.ts'

/** The granter, who permits messages, and the grantee, who sends them. */
export type Parties = { readonly granter: Uint8Array; readonly grantee: Uint8Array }
export type Grant = { authorization: StoredAny | undefined; expiration: Time | undefined }

export const grantMessage = message<Grant>({
  1: ['authorization', nested(anyMessage)],
  2: ['expiration', nested(timestamp)],
})
const queueMessage = message<{ types: readonly string[] }>({ 1: ['types', repeated(text)] })

const prefix = { grant: 1, queue: 2 } as const
const encoder = new TextEncoder()
const gasPerEntry = 20n

/** Returns the grant for a message type, or undefined. */
export function findGrant(context: Context, parties: Parties, type: string): Grant | undefined {
  const value = context.store('authz').get(grantKey(parties, type))
  return value === undefined ? undefined : grantMessage.decode(value)
}

/** Stores a grant, replacing an earlier one. Throws if it has expired. */
export function saveGrant(
  context: Context,
  parties: Parties,
  { authorization, expiration }: Grant & { authorization: StoredAny },
): void {
  const now = blockTime(context)
  if (expiration !== undefined && compareTime(expiration, now) <= 0) {
    throw authzError(
      3,
      `expiration must be after the current block time (${secondText(now)}), got ` +
        `${secondText(expiration)}: expiration time of authorization should be more than current time`,
    )
  }
  const type = messageTypeOf(authorization)
  const before = findGrant(context, parties, type)?.expiration
  const isSame = before !== undefined && expiration !== undefined && compareTime(before, expiration) === 0
  if (before !== undefined && !isSame) leaveQueue(context, parties, { type, time: before })
  if (expiration !== undefined && !isSame) enterQueue(context, parties, { type, time: expiration })
  const value = grantMessage.encode({ authorization, expiration })
  context.store('authz').set(grantKey(parties, type), value)
  emitGrant(context, 'EventGrant', { parties, type })
}

/** Revokes a grant. Throws if it does not exist. */
export function deleteGrant(context: Context, parties: Parties, type: string): void {
  const grant = findGrant(context, parties, type)
  const key = grantKey(parties, type)
  if (grant === undefined) {
    throw authzError(2, `failed to delete grant with key ${goText(key)}: authorization not found`)
  }
  if (grant.expiration !== undefined) leaveQueue(context, parties, { type, time: grant.expiration })
  context.store('authz').delete(key)
  emitGrant(context, 'EventRevoke', { parties, type })
}

/**
 * Runs messages on behalf of accounts that have authorized the grantee. Returns their responses.
 */
export function dispatch(
  context: Context,
  grantee: Uint8Array,
  messages: readonly AnyMessage[],
): readonly Uint8Array[] {
  return messages.map((each, index) => {
    const [granter, ...others] = context.fixed.route(each.typeUrl)?.signers(each.value, context) ?? []
    if (granter === undefined || others.length > 0) {
      throw authzError(9, 'authorization can be given to msg with only one signer')
    }
    if (!equalBytes(granter, grantee)) useGrant(context, { granter, grantee }, each)
    const before = context.events.length
    const response = runNamed(context, each)
    markEvents(context, before, index)
    return response
  })
}

/** Runs a message. If it fails, the error shows the whole message. */
function runNamed(context: Context, message: AnyMessage): Uint8Array {
  try {
    return runInner(context, message)
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal === undefined) throw error
    const text = compactText(message.typeUrl.slice(1), message.value)
    throw refusal.inside(`failed to execute message; message ${text}`)
  }
}

function useGrant(context: Context, parties: Parties, asked: AnyMessage): void {
  const { typeUrl } = asked
  const grant = findGrant(context, parties, typeUrl)
  if (grant?.authorization === undefined) {
    throw authzError(
      2,
      `failed to get grant with given granter: ${accountText(context, parties.granter)}, grantee: ` +
        `${accountText(context, parties.grantee)} & msgType: ${typeUrl} : authorization not found`,
    )
  }
  const { expiration } = grant
  if (expiration !== undefined && compareTime(expiration, blockTime(context)) < 0) {
    throw authzError(6, 'authorization expired')
  }
  const left = accept(context, grant.authorization, asked)
  if (left === 'used') return deleteGrant(context, parties, typeUrl)
  if (left === 'same') return
  const current = findGrant(context, parties, messageTypeOf(left))
  const value = grantMessage.encode({ authorization: left, expiration: current?.expiration })
  context.store('authz').set(grantKey(parties, typeUrl), value)
}

/**
 * Adds the index of a dispatched message to its events. Each level of nested dispatches adds one.
 */
function markEvents(context: Context, from: number, index: number): void {
  const attribute = { key: 'authz_msg_index', value: index.toString(), index: true }
  for (let at = from; at < context.events.length; at++) {
    const event = context.events[at]
    if (event !== undefined) {
      context.events[at] = { ...event, attributes: [...event.attributes, attribute] }
    }
  }
}

/** Removes expired grants. */
export function beginAuthz(context: Context): void {
  const first = Uint8Array.of(prefix.queue)
  const range = rangeUpTo(first, storeKey(prefix.queue, timeKey(blockTime(context))))
  for (const [key, value] of [...context.store('authz').iterate(range)]) {
    context.store('authz').delete(key)
    const parties = key.slice(30)
    for (const type of queueMessage.decode(value).types) {
      context.store('authz').delete(storeKey(prefix.grant, parties, encoder.encode(type)))
    }
  }
}

type ExpiryEntry = { readonly type: string; readonly time: Time }

function enterQueue(context: Context, parties: Parties, { type, time }: ExpiryEntry): void {
  const key = queueKey(parties, time)
  const before = context.store('authz').get(key)
  const types = [...(before === undefined ? [] : queueMessage.decode(before).types), type]
  context.store('authz').set(key, queueMessage.encode({ types }))
}

function leaveQueue(context: Context, parties: Parties, { type, time }: ExpiryEntry): void {
  const key = queueKey(parties, time)
  const value = context.store('authz').get(key)
  if (value === undefined) {
    throw authzError(5, "can't remove grant from the expire queue, grant key not found: grant key not found")
  }
  const types = [...queueMessage.decode(value).types]
  for (let index = 0; index < types.length; index++) {
    context.gas.consume(gasPerEntry, 'grant queue')
    if (types[index] !== type) continue
    const last = types.pop()
    if (index < types.length && last !== undefined) types[index] = last
    context.store('authz').set(key, queueMessage.encode({ types }))
    return
  }
}

function grantKey({ granter, grantee }: Parties, type: string): Uint8Array {
  return storeKey(prefix.grant, sized(granter), sized(grantee), encoder.encode(type))
}

function queueKey({ granter, grantee }: Parties, time: Time): Uint8Array {
  return storeKey(prefix.queue, timeKey(time), sized(granter), sized(grantee))
}

function emitGrant(context: Context, name: string, { parties, type }: { parties: Parties; type: string }): void {
  emit(context, `cosmos.authz.v1beta1.${name}`, {
    grantee: JSON.stringify(accountText(context, parties.grantee)),
    granter: JSON.stringify(accountText(context, parties.granter)),
    msg_type_url: JSON.stringify(type),
  })
}
