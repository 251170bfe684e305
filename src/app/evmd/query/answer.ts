/** Helpers of the query methods: common requests and responses, addresses, stored bytes. */
import { bytes, type FieldType, message, nested, text, uint64 } from '../../../codec/protobuf/message.ts'
import { type Addressing, addressOf, operatorOf } from '../address.ts'
import type { Context } from '../context.ts'
import type { StoreName } from '../storeNames.ts'
import type { Executions } from './executions.ts'
import { invalidArgument } from './status.ts'
import { type PageRequest, pageRequest } from './page.ts'

export type QueryMethod = (context: Context, data: Uint8Array, executions: Executions) => Uint8Array
export type Methods = Readonly<Record<string, QueryMethod>>

/** A sub-message as bytes. Written even if empty. */
export const rawMessage: FieldType<Uint8Array> = { ...bytes, isZero: () => false }

/** Optional bytes; missing and empty are distinct. */
export const presentBytes = {
  ...rawMessage,
  zero: () => undefined,
  isZero: (value: Uint8Array | undefined) => value === undefined,
} as FieldType<Uint8Array | undefined>

const one = message<{ item: Uint8Array }>({ 1: ['item', rawMessage] })

/** Returns a response whose only field, number 1, is a message. */
export function itemResponse(item: Uint8Array): Uint8Array {
  return one.encode({ item })
}

/** Returns the stored bytes under a key. If there are none, returns an empty message. */
export function stored(context: Context, store: StoreName, key: Uint8Array): Uint8Array {
  return context.store(store).get(key) ?? new Uint8Array(0)
}

/**
 * Requests with one text, two texts or a number, each with a page where the service accepts one.
 */
export const ofText = message<{ text: string; page: PageRequest | undefined }>({
  1: ['text', text],
  2: ['page', nested(pageRequest)],
})
export const ofTexts = message<{ a: string; b: string; page: PageRequest | undefined }>({
  1: ['a', text],
  2: ['b', text],
  3: ['page', nested(pageRequest)],
})
export const ofNumber = message<{ number: bigint; page: PageRequest | undefined }>({
  1: ['number', uint64],
  2: ['page', nested(pageRequest)],
})
export const ofNumberAndText = message<{ number: bigint; text: string }>({
  1: ['number', uint64],
  2: ['text', text],
})
export const ofPage = message<{ page: PageRequest | undefined }>({
  1: ['page', nested(pageRequest)],
})

/** Returns the bytes of an account address. Throws with the text `empty` if none is given. */
export function given(at: Addressing, spelled: string, empty: string): Uint8Array {
  if (spelled === '') throw invalidArgument(empty)
  return addressOf(at, spelled)
}

/** Returns the bytes of an operator address. Throws if none is given. */
export function givenOperator(at: Addressing, spelled: string): Uint8Array {
  if (spelled === '') throw invalidArgument('validator address cannot be empty')
  return operatorOf(at, spelled)
}
