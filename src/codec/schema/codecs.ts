/** Codecs of messages by their descriptors, with the wire form of the node's gogoproto. */
import { AssertionFailed } from '../../errors.ts'
import {
  always,
  bool,
  bytes,
  type FieldType,
  int32,
  int64,
  type Message,
  message,
  nested,
  repeated,
  sfixed64,
  text,
  uint32,
  uint64,
} from '../protobuf/message.ts'
import { zeroTime, type Time } from '../../data/time.ts'
import type { Field, Kind } from './descriptor.ts'
import { messageDescriptor } from './lookup.ts'
import type { MessageTypes } from './messageTypes.ts'

/** A decoded message whose type is known only by name. */
export type MessageValue = Readonly<Record<string, unknown>>

/**
 * Returns the codec of a message by its full name. Members are named in camel case. Absent messages
 * are undefined where Go has pointers, and empty where it has structs. The descriptor is read when
 * the codec is first used. Decoding throws `ProtobufError`.
 */
export function codecOf<Name extends keyof MessageTypes>(name: Name): Codec<MessageTypes[Name]> {
  return { ...namedCodec(name), typeUrl: `/${name}` } as unknown as Codec<MessageTypes[Name]>
}

/** A codec with the type URL of its messages, such as `/cosmos.bank.v1beta1.MsgSend`. */
export type Codec<Value> = Message<Value> & { readonly typeUrl: string }

const known = new Map<string, Message<MessageValue>>()

/**
 * Returns the codec of a message whose name is known only at run time. Using the codec throws
 * `AssertionFailed` if no message has that name (see `findMessage`).
 */
export function namedCodec(name: string): Message<MessageValue> {
  return {
    encode: (value) => madeCodec(name).encode(value),
    decode: (bytes) => madeCodec(name).decode(bytes),
    // gogoproto's times and durations are not messages.
    isReplaced: name === 'google.protobuf.Timestamp' || name === 'google.protobuf.Duration',
  }
}

function madeCodec(name: string): Message<MessageValue> {
  const before = known.get(name)
  if (before !== undefined) return before
  const { fields } = messageDescriptor(name)
  const made = message<Record<string, unknown>>(
    Object.fromEntries(fields.map((field) => [field.number, [field.jsonName, fieldTypeOf(field)]])),
    (number) => {
      const oneof = fields.find((field) => field.number === number)?.oneof
      if (oneof === undefined) return undefined
      return fields.flatMap((field) => (field.oneof === oneof && field.number !== number ? [field.jsonName] : []))
    },
  )
  known.set(name, made)
  return made
}

/** Returns the wire form of a field; for a list, the form of the whole list. */
export function fieldTypeOf(field: Field): FieldType<unknown> {
  const { kind, typeName, isList, isNullable } = field
  if (kind === 'message') {
    const inner = namedCodec(typeName)
    if (isList) return repeated(always(inner)) as FieldType<unknown>
    if (isNullable) return nested(inner) as FieldType<unknown>
    return field.isStdTime ? stdTime(inner) : (always(inner) as FieldType<unknown>)
  }
  const type = scalarOf(field)
  if (isList) return repeated(type) as FieldType<unknown>
  if (field.hasPresence || (isNullable && isNumber(field))) return optional(type)
  return isNumber(field) ? numberType(type) : type
}

/** Returns whether a string or bytes field is a `math.Int` or `math.LegacyDec` in Go. */
export function isNumber({ customType }: Field): boolean {
  return customType === intType || customType === decType
}

export const intType = 'cosmossdk.io/math.Int'
export const decType = 'cosmossdk.io/math.LegacyDec'

const scalars: Readonly<Record<Exclude<Kind, 'message'>, FieldType<unknown>>> = {
  int32,
  enum: int32,
  int64,
  uint32,
  uint64,
  sfixed64,
  bool,
  string: text,
  bytes,
} as Record<Exclude<Kind, 'message'>, FieldType<unknown>>

function scalarOf({ kind, name }: Field): FieldType<unknown> {
  if (kind === undefined || kind === 'message') {
    throw new AssertionFailed(`field ${name} has a type that has no codec`)
  }
  return scalars[kind]
}

function optional(type: FieldType<unknown>): FieldType<unknown> {
  return { ...type, zero: () => undefined, isZero: (value) => value === undefined }
}

/** Returns the type of a non-pointer number: zero is written too, and an unset field is zero. */
function numberType(type: FieldType<unknown>): FieldType<unknown> {
  return {
    ...type,
    isZero: () => false,
    content: (value) => (type.isZero(value) ? text.content('0') : type.content(value)),
  }
}

/** Returns the type of a non-pointer time: an absent field is Go's zero time. */
function stdTime(inner: Message<MessageValue>): FieldType<unknown> {
  return { ...(always(inner) as FieldType<unknown>), zero: (): Time => zeroTime }
}
