/**
 * Converts protobuf messages to JSON as the SDK writes it: names as in the .proto file, and every
 * field, even if empty (gogoproto jsonpb with OrigName and EmitDefaults; cosmos-rest-grpc.md §3).
 */
import { base64Of } from '../base64.ts'
import { bigIntegerOf } from '../goIntegers.ts'
import type { Plain, PlainObject } from '../goJsonWrite.ts'
import type { Time } from '../../data/time.ts'
import { formatTime } from '../time.ts'
import { decType, intType, isNumber, type MessageValue, namedCodec } from './codecs.ts'
import { pointed } from './decimals.ts'
import type { Field } from './descriptor.ts'
import { isRegistered } from './files.ts'
import { findEnum, messageDescriptor } from './lookup.ts'
import { ProtoJsonError } from './protoJsonRead.ts'
import type { Packed } from './amino.ts'

/** Returns the JSON of a decoded message. Throws like `packedJson` for a packed message. */
export function toJson(name: string, value: MessageValue): Plain {
  switch (name) {
    case 'google.protobuf.Timestamp':
      return timeText(value as Time)
    case 'google.protobuf.Duration':
      return durationText(value as Time)
    case 'google.protobuf.Any':
      return packedJson(value as Packed)
    case 'cosmos.staking.v1beta1.RedelegationResponse':
      return redelegationJson(membersOf(name, value))
    default:
      return membersOf(name, value)
  }
}

/**
 * Returns the JSON of the message in an `Any`, with `@type` first. Throws `ProtoJsonError` for an
 * unregistered type, and `ProtobufError` for bytes that are not this message.
 */
export function packedJson({ typeUrl, value }: Packed): PlainObject {
  if (!isRegistered(typeUrl)) throw new ProtoJsonError(`unable to resolve type URL ${typeUrl}`)
  const name = typeUrl.slice(1)
  return { '@type': typeUrl, ...membersOf(name, namedCodec(name).decode(value)) }
}

function membersOf(name: string, value: MessageValue): PlainObject {
  const members: Record<string, Plain> = {}
  for (const field of messageDescriptor(name).fields) {
    const member = value[field.jsonName]
    if (field.oneof !== undefined && member === undefined) continue
    members[field.name] = fieldJson(field, member)
  }
  return members
}

/**
 * Returns a redelegation as encoding/json writes it, to which the SDK leaves this message: whole numbers are
 * JSON numbers and left out if 0, times have no zeros at the end, and the entries in the inner message are null.
 */
function redelegationJson({ redelegation, entries }: PlainObject): PlainObject {
  const numberOr = (digits: unknown) => (digits === '0' ? undefined : Number(digits))
  const items = entries as readonly { redelegation_entry: PlainObject; balance: Plain }[]
  return {
    redelegation: { ...(redelegation as PlainObject), entries: null },
    entries: items.map(({ redelegation_entry: entry, balance }) => ({
      redelegation_entry: {
        ...entry,
        creation_height: numberOr(entry['creation_height']),
        completion_time: String(entry['completion_time']).replace(/(\.\d*[1-9])0+Z$/, '$1Z'),
        unbonding_id: numberOr(entry['unbonding_id']),
        unbonding_on_hold_ref_count: numberOr(entry['unbonding_on_hold_ref_count']),
      },
      balance,
    })),
  }
}

function fieldJson(field: Field, value: unknown): Plain {
  if (!field.isList) return itemJson(field, value)
  const items: readonly unknown[] = Array.isArray(value) ? value : []
  if (field.kind !== 'message' || !messageDescriptor(field.typeName).isMapEntry) {
    // An empty item differs from an absent one: bytes of length 0 are "".
    return items.map((item) => (item instanceof Uint8Array && item.length === 0 ? '' : itemJson(field, item)))
  }
  return Object.fromEntries(
    items.map((item) => {
      const { key, value: inner } = membersOf(field.typeName, item as MessageValue)
      return [String(key), inner]
    }),
  )
}

function itemJson(field: Field, value: unknown): Plain {
  if (value === undefined) return null
  switch (field.kind) {
    case 'message':
      return toJson(field.typeName, value as MessageValue)
    case 'enum':
      return enumJson(field.typeName, value as number)
    case 'int64':
    case 'uint64':
    case 'sfixed64':
      return String(value)
    case 'bytes':
      return bytesJson(field, value as Uint8Array)
    case 'string':
      return field.customType === '' ? (value as string) : numberJson(field, String(value))
    default:
      return value as Plain
  }
}

/** Returns the name of an enumeration value, or the number itself if it is unknown. */
function enumJson(name: string, value: number): Plain {
  return findEnum(name)?.values.find(({ number }) => number === value)?.name ?? value
}

function bytesJson(field: Field, value: Uint8Array): Plain {
  if (field.customType === ethereumTx) {
    return value.length === 0 ? null : `0x${Buffer.from(value).toString('hex')}`
  }
  if (field.castType.endsWith('.HexBytes')) return Buffer.from(value).toString('hex').toUpperCase()
  if (isNumber(field)) return numberJson(field, new TextDecoder().decode(value))
  return value.length === 0 ? null : base64Of(value)
}

/** The Go type of `MsgEthereumTx.raw`, which is hex in JSON. */
const ethereumTx = 'EthereumTx'

function numberJson({ customType }: Field, spelled: string): Plain {
  const digits = spelled === '' ? '' : (bigIntegerOf(spelled)?.toString() ?? spelled)
  if (customType === intType) return digits === '' ? '0' : digits
  if (customType !== decType) return digits
  return pointed(digits)
}

/** Returns RFC 3339 with 0, 3, 6 or 9 decimals. */
function timeText({ seconds, nanos }: Time): string {
  return `${formatTime({ seconds, nanos: 0 }).slice(0, -1)}${fractionText(nanos)}Z`
}

function durationText({ seconds, nanos }: Time): string {
  const isNegative = seconds < 0n || nanos < 0
  const whole = seconds < 0n ? -seconds : seconds
  return `${isNegative ? '-' : ''}${whole}${fractionText(Math.abs(nanos))}s`
}

function fractionText(nanos: number): string {
  if (nanos === 0) return ''
  return `.${nanos
    .toString()
    .padStart(9, '0')
    .replace(/(?:000){1,2}$/, '')}`
}
