import type { WireField } from './wire.ts'
import { readFields } from './wire.ts'

/** What a message may contain: for each field number, its sub-message, an Any, or a plain value. */
export type Shape = { readonly name: string; readonly fields: Readonly<Record<number, Content>> }

type Content = 'value' | 'any' | (() => Shape)

/**
 * A field that a message's definition does not have. Numbers with bit 11 set may be ignored
 * (ADR-020).
 */
export type UnknownField = {
  readonly message: string
  readonly number: number
  readonly wireType: 0 | 1 | 2 | 5
  readonly critical: boolean
}

/**
 * Returns the fields that nobody knows, at any depth, in the order of the input; the contents of an
 * Any are looked at when `resolve` knows its type (cosmos-sdk codec/unknownproto). Throws
 * `ProtobufError` when the bytes are no message.
 */
export function unknownFields(
  bytes: Uint8Array,
  shape: Shape,
  resolve: (typeUrl: string) => Shape | undefined,
): UnknownField[] {
  return readFields(bytes).flatMap((field) => {
    const content = shape.fields[field.number]
    if (content === undefined) return [unknown(field, shape)]
    if (content === 'value' || field.wireType !== 2) return []
    if (content !== 'any') return unknownFields(field.value, content(), resolve)
    return unknownInAny(field.value, resolve)
  })
}

/** Returns the SDK's text for an unknown field, without the `: tx parse error` that wraps it. */
export function unknownFieldText({ message, number, wireType }: UnknownField): string {
  return `errUnknownField "${message}": {TagNum: ${number}, WireType:"${wireTypeNames[wireType]}"}`
}

const wireTypeNames = { 0: 'varint', 1: 'fixed64', 2: 'bytes', 5: 'fixed32' } as const

function unknown({ number, wireType }: WireField, { name }: Shape): UnknownField {
  return { message: name, number, wireType, critical: ((number >> 10) & 1) === 0 }
}

function unknownInAny(
  bytes: Uint8Array,
  resolve: (typeUrl: string) => Shape | undefined,
): UnknownField[] {
  const fields = readFields(bytes)
  const typeUrl = fields.find((field) => field.number === 1)?.value
  const value = fields.find((field) => field.number === 2)?.value
  const own = fields.filter(({ number }) => number > 2).map((field) => unknown(field, anyShape))
  const inner =
    typeUrl instanceof Uint8Array ? resolve(new TextDecoder().decode(typeUrl)) : undefined
  if (inner === undefined || !(value instanceof Uint8Array)) return own
  return [...own, ...unknownFields(value, inner, resolve)]
}

/** Returns the shape of a message whose fields are all plain values. */
export function plainShape(name: string, numbers: readonly number[]): Shape {
  return { name, fields: Object.fromEntries(numbers.map((number) => [number, 'value'])) }
}

const anyShape = plainShape('/google.protobuf.Any', [1, 2])
const coin = plainShape('/cosmos.base.v1beta1.Coin', [1, 2])
const modeInfo: Shape = {
  name: '/cosmos.tx.v1beta1.ModeInfo',
  fields: { 1: () => plainShape('/cosmos.tx.v1beta1.ModeInfo.Single', [1]), 2: () => multi },
}
const multi: Shape = {
  name: '/cosmos.tx.v1beta1.ModeInfo.Multi',
  fields: {
    1: () => plainShape('/cosmos.crypto.multisig.v1beta1.CompactBitArray', [1, 2]),
    2: () => modeInfo,
  },
}
const signerInfo: Shape = {
  name: '/cosmos.tx.v1beta1.SignerInfo', fields: { 1: 'any', 2: () => modeInfo, 3: 'value' },
}
const fee: Shape = {
  name: '/cosmos.tx.v1beta1.Fee', fields: { 1: () => coin, 2: 'value', 3: 'value', 4: 'value' },
}
const tip: Shape = { name: '/cosmos.tx.v1beta1.Tip', fields: { 1: () => coin, 2: 'value' } }

/**
 * Shapes of the two parts of a transaction that its raw form holds as bytes (cosmos.tx.v1beta1, SDK
 * 0.53).
 */
export const authInfoShape: Shape = {
  name: '/cosmos.tx.v1beta1.AuthInfo', fields: { 1: () => signerInfo, 2: () => fee, 3: () => tip },
}
export const txBodyShape: Shape = {
  name: '/cosmos.tx.v1beta1.TxBody',
  fields: { 1: 'any', 2: 'value', 3: 'value', 4: 'value', 5: 'value', 1023: 'any', 2047: 'any' },
}
