/**
 * Converts protobuf bytes to amino JSON by message descriptors (cosmossdk.io/x/tx
 * signing/aminojson).
 */
import { SimError } from '../../errors.ts'
import { base64Of } from '../base64.ts'
import type { Plain, PlainObject } from '../goJsonWrite.ts'
import { readFields, type WireField } from '../protobuf/wire.ts'
import { formatTime } from '../time.ts'
import { codecOf, decType, fieldTypeOf } from './codecs.ts'
import { pointed } from './decimals.ts'
import type { Field, MessageDescriptor } from './descriptor.ts'
import { findMessage, messageDescriptor } from './lookup.ts'
import { goNameOf } from '../goText.ts'
import { fieldBytes } from '../protobuf/message.ts'

/** A message's bytes with their type URL. */
export type Packed = { readonly typeUrl: string; readonly value: Uint8Array }

/**
 * Returns a message as `{ type, value }`; without an amino name, `type` is the type URL. Throws
 * `AminoError` if the message, or one packed in it, has no amino form. Throws `ProtobufError` for
 * bytes that are not this message.
 */
export function aminoOf({ typeUrl, value }: Packed): PlainObject {
  const descriptor = findMessage(typeUrl.slice(1))
  if (descriptor === undefined) throw new AminoError(`can't resolve type URL ${typeUrl}`)
  return { type: descriptor.aminoName ?? typeUrl, value: messageOf(descriptor, value) }
}

const timestamp = codecOf('google.protobuf.Timestamp')
const duration = codecOf('google.protobuf.Duration')
const any = codecOf('google.protobuf.Any')

function messageOf(descriptor: MessageDescriptor, bytes: Uint8Array): Plain {
  switch (descriptor.name) {
    case 'google.protobuf.Any':
      return aminoOf(any.decode(bytes))
    case 'google.protobuf.Timestamp':
      return formatTime(timestamp.decode(bytes))
    case 'google.protobuf.Duration': {
      const { seconds, nanos } = duration.decode(bytes)
      return (seconds * 1_000_000_000n + BigInt(nanos)).toString()
    }
  }
  const members = membersOf(descriptor, bytes)
  switch (descriptor.aminoEncoding) {
    case 'key_field':
      return members['key'] ?? null
    case 'threshold_string':
      return {
        pubkeys: members['public_keys'] ?? [],
        threshold: String(members['threshold'] ?? 0),
      }
    default:
      return members
  }
}

/** Returns the members in the order of their fields. */
function membersOf(descriptor: MessageDescriptor, bytes: Uint8Array): PlainObject {
  const found = new Map<number, WireField[]>()
  for (const field of readFields(bytes)) {
    const before = found.get(field.number)
    if (before === undefined) found.set(field.number, [field])
    else before.push(field)
  }
  const members = descriptor.fields.flatMap((field) => memberOf(field, found.get(field.number) ?? [], descriptor))
  const emptyOneofs = new Set(descriptor.fields.flatMap(({ oneof }) => oneof ?? []))
  for (const { oneof, number } of descriptor.fields) {
    if (oneof !== undefined && found.has(number)) emptyOneofs.delete(oneof)
  }
  for (const oneof of emptyOneofs) members.push([goNameOf(oneof), null])
  return Object.fromEntries(members)
}

type Member = [name: string, value: Plain]

function memberOf(field: Field, found: readonly WireField[], descriptor: MessageDescriptor): Member[] {
  const { amino, oneof } = field
  const value = found.length === 0 ? undefined : fieldValue(field, found)
  if (oneof !== undefined) {
    return value === undefined ? [] : [[goNameOf(oneof), { type: amino.oneofName, value: { [amino.name]: value } }]]
  }
  if (value !== undefined) return [[amino.name, value]]
  return amino.keepsEmpty ? [[amino.name, emptyOf(field, descriptor)]] : []
}

/** Returns the amino JSON of a field, or undefined for an empty value. */
function fieldValue(field: Field, found: readonly WireField[]): Plain | undefined {
  if (field.kind === 'message') {
    const descriptor = messageDescriptor(field.typeName)
    const values = found.map((each) => messageOf(descriptor, fieldBytes(each)))
    return field.isList ? values : values.at(-1)
  }
  const type = fieldTypeOf(field)
  const values = found.map((each) => type.read(each))
  if (field.isList) {
    const items: readonly unknown[] = values.flat()
    return items.length === 0 ? undefined : items.map((item) => scalarOf(field, item))
  }
  const last = values.at(-1)
  return isZero(last) && !field.hasPresence ? undefined : scalarOf(field, last)
}

function isZero(value: unknown): boolean {
  return value instanceof Uint8Array ? value.length === 0 : !value
}

function scalarOf(field: Field, value: unknown): Plain {
  if (field.scalar === 'cosmos.Dec' && field.customType === decType) return decimalOf(value)
  if (value instanceof Uint8Array) {
    return field.scalar === 'cosmos.Int' ? new TextDecoder().decode(value) : base64Of(value)
  }
  return typeof value === 'bigint' ? value.toString() : (value as Plain)
}

function decimalOf(value: unknown): string {
  return pointed(value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value))
}

function emptyOf(field: Field, descriptor: MessageDescriptor): Plain {
  if (field.isList) return field.amino.encoding === 'legacy_coins' ? [] : null
  switch (field.kind) {
    case 'message':
      return emptyMessage(field, descriptor)
    case 'int64':
    case 'uint64':
    case 'sfixed64':
      return '0'
    case 'int32':
    case 'uint32':
    case 'enum':
      return 0
    case 'bool':
      return false
    default:
      return emptyText(field)
  }
}

function emptyText({ scalar, customType, kind }: Field): Plain {
  const isNumber = scalar === 'cosmos.Int' || (scalar === 'cosmos.Dec' && customType === decType)
  if (isNumber) return '0'
  return kind === 'bytes' ? null : ''
}

function emptyMessage({ name }: Field, { name: message }: MessageDescriptor): never {
  throw new AminoError(`not supported: dont_omit_empty=true on invalid (nil?) message field: ${name} of ${message}`)
}

/** A message that cannot be signed as legacy amino JSON; the text is the SDK's. */
export class AminoError extends SimError {
  constructor(text: string) {
    super('NO_AMINO_FORM', text, { hint: 'Sign the transaction with SIGN_MODE_DIRECT.' })
  }
}
