/** Converts amino JSON to packed messages (tendermint/go-amino json-decode.go). */
import { AminoError, type Packed } from './amino.ts'
import type { Field, MessageDescriptor } from './descriptor.ts'
import { namedCodec } from './codecs.ts'
import { messageDescriptor, messageOfAminoName } from './lookup.ts'
import { fromJson, ProtoJsonError } from './protoJsonRead.ts'
import { isJsonObject } from '../../data/members.ts'

/** The maximum nesting of messages, such as the messages that a grant permits. */
const depthMost = 32

/** Returns the members of `{ type, value }`. Throws `AminoError`. */
export function typedOf(json: unknown): { readonly type: string; readonly value: unknown } {
  if (!isJsonObject(json)) throw new AminoError('cannot parse disfix JSON wrapper: expected an object')
  const { type = '', value } = json
  if (type === '') throw new AminoError('JSON encoding of interfaces require non-empty type field.')
  if (value === undefined) throw new AminoError('interface JSON wrapper should have non-empty value field')
  return { type: String(type), value }
}

/**
 * Returns the packed message of amino JSON `{ type, value }`. Unknown members are ignored. Throws
 * `AminoError` for an unknown amino name or a value of the wrong type.
 */
export function packedOfAmino(json: unknown): Packed {
  try {
    const { '@type': typeUrl, ...members } = anyOf(json, depthMost)
    const name = String(typeUrl).slice(1)
    return { typeUrl: `/${name}`, value: namedCodec(name).encode(fromJson(name, members)) }
  } catch (error) {
    throw error instanceof ProtoJsonError ? new AminoError(error.message) : error
  }
}

type ProtoJson = Readonly<Record<string, unknown>>

function anyOf(json: unknown, depthLeft: number): ProtoJson {
  if (depthLeft === 0) throw new AminoError(`messages are more than ${depthMost} deep`)
  const { type, value } = typedOf(json)
  const descriptor = messageOfAminoName(type)
  if (descriptor === undefined) throw new AminoError(`unrecognized concrete type name ${type}`)
  return { '@type': `/${descriptor.name}`, ...membersOf(descriptor, value, depthLeft) }
}

function membersOf(descriptor: MessageDescriptor, json: unknown, depthLeft: number): ProtoJson {
  // A public key is written as its bytes alone.
  if (descriptor.aminoEncoding === 'key_field') return { key: json }
  if (!isJsonObject(json)) throw new AminoError(`expected an object for ${descriptor.name}`)
  if (descriptor.aminoEncoding === 'threshold_string') {
    const keys = Array.isArray(json['pubkeys']) ? json['pubkeys'] : []
    return {
      threshold: Number(json['threshold']),
      public_keys: keys.map((each: unknown) => anyOf(each, depthLeft - 1)),
    }
  }
  return Object.fromEntries(
    descriptor.fields.flatMap((field) => {
      const given = json[field.amino.name]
      if (given === undefined || given === null) return []
      const itemOf = (each: unknown): unknown => aminoValue(field, each, depthLeft - 1)
      return [[field.name, field.isList && Array.isArray(given) ? given.map(itemOf) : itemOf(given)]]
    }),
  )
}

function aminoValue({ kind, typeName }: Field, json: unknown, depthLeft: number): unknown {
  if (kind !== 'message') return json
  switch (typeName) {
    case 'google.protobuf.Any':
      return anyOf(json, depthLeft)
    case 'google.protobuf.Timestamp':
      return json
    case 'google.protobuf.Duration':
      return durationOf(json)
    default:
      return membersOf(messageDescriptor(typeName), json, depthLeft)
  }
}

/** Converts nanoseconds to a duration in proto JSON. */
function durationOf(json: unknown): string {
  const [, sign = '', digits] = /^(-?)(\d{1,19})$/.exec(String(json)) ?? []
  if (digits === undefined) throw new AminoError('expected the nanoseconds of a duration')
  const padded = digits.padStart(10, '0')
  return `${sign}${padded.slice(0, -9)}.${padded.slice(-9)}s`
}
