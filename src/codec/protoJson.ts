/** Protobuf messages from their JSON, by the shapes of `aminoShapes.ts` (gogoproto jsonpb). */
import { SimError } from '../errors.ts'
import type { Packed } from './aminoValue.ts'
import { aminoShapes, type Fields, type Kind } from './aminoShapes.ts'
import { readBase64 } from './base64.ts'
import { timestamp } from './protobuf/comet.ts'
import { bytes, int64, message, repeated, text } from './protobuf/message.ts'
import {
  finishWire, varint, type WireWriter, wireWriter, writeBytes, writeRaw, writeTag,
} from './protobuf/wire.ts'
import { parseTime, TimeSyntaxError, zeroTime } from './time.ts'

/** `{ "@type": …, … }` as bytes under their type. Throws `ProtoJsonError` with Go's text. */
export function packedOfJson(value: unknown): Packed {
  const object = objectOf(value)
  const typeUrl = object['@type']
  if (typeof typeUrl !== 'string') throw new ProtoJsonError('Any JSON doesn\'t have \'@type\'')
  const { '@type': _type, ...members } = object
  if (keyTypes.has(typeUrl)) return { typeUrl, value: keyOf(members) }
  const shape = aminoShapes.get(typeUrl)
  if (shape === undefined) throw new ProtoJsonError(`unable to resolve type URL ${typeUrl}`)
  return { typeUrl, value: messageOf(members, shape.fields, typeUrl.slice(1)) }
}

const keyTypes: ReadonlySet<string> = new Set([
  '/cosmos.crypto.ed25519.PubKey', '/cosmos.crypto.secp256k1.PubKey',
  '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey',
])

type Members = Readonly<Record<string, unknown>>

function keyOf({ key }: Members): Uint8Array {
  const bytes = readBase64(textOf(key))
  if (typeof bytes === 'string') throw new ProtoJsonError(bytes)
  const writer = wireWriter()
  writeTag(writer, 1, 2)
  writeBytes(writer, bytes)
  return finishWire(writer)
}

function messageOf(members: Members, fields: Fields, name: string): Uint8Array {
  const writer = wireWriter()
  const left = new Map(Object.entries(members))
  for (const [number, [own, kind, keeps]] of Object.entries(fields)) {
    const key = typeof kind === 'object' && 'oneof' in kind ? kind.name : own
    const camel = key.replace(/_([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase())
    const value = left.get(key) ?? left.get(camel)
    left.delete(key)
    left.delete(camel)
    for (const content of contentsOf(value ?? undefined, kind, { isKept: keeps === '!', name })) {
      writeTag(writer, Number(number), content.wireType)
      writeContent(writer, content)
    }
  }
  const [unknown] = left.keys()
  if (unknown !== undefined) throw new ProtoJsonError(`unknown field "${unknown}" in ${name}`)
  return finishWire(writer)
}

type Content =
  | { readonly wireType: 0; readonly value: bigint }
  | { readonly wireType: 2; readonly value: Uint8Array }

function writeContent(writer: WireWriter, { wireType, value }: Content): void {
  if (wireType === 0) writeRaw(writer, varint(value))
  else writeBytes(writer, value)
}

type Place = { readonly isKept: boolean; readonly name: string }

/** Returns what stands on the wire: nothing for a zero, except in fields that are never absent. */
function contentsOf(value: unknown, kind: Kind, place: Place): readonly Content[] {
  if (value === undefined) return place.isKept ? zeroOf(kind, place.name) : []
  if (kind === 'coins') return listOf(value, coin, place.name)
  if (typeof kind === 'object' && 'list' in kind) return listOf(value, kind.list, place.name)
  if (typeof kind === 'object' && 'oneof' in kind) {
    return [bytesContent(messageOf(objectOf(value), kind.fields, place.name))]
  }
  if (typeof kind === 'object') {
    return [bytesContent(messageOf(objectOf(value), kind, place.name))]
  }
  return scalarOf(value, kind, place.isKept)
}

function zeroOf(kind: Kind, name: string): readonly Content[] {
  switch (kind) {
    case 'int': case 'dec': case 'decBytes': case 'digits': return [textContent('0')]
    case 'duration': return [bytesContent(new Uint8Array(0))]
    case 'time': return [bytesContent(timestamp.encode(zeroTime))]
    default: return typeof kind === 'string' || 'list' in kind || 'oneof' in kind
      ? []
      : [bytesContent(messageOf({}, kind, name))]
  }
}

const coin: Fields = { 1: ['denom', 'text'], 2: ['amount', 'int', '!'] }

function listOf(value: unknown, kind: Kind, name: string): readonly Content[] {
  if (!Array.isArray(value)) throw wrongType(value, '[]json.RawMessage')
  if (kind === 'whole') {
    return [bytesContent(repeated(int64).content(value.map((each) => wholeOf(each))))]
  }
  return value.flatMap((each: unknown) => {
    const contents = contentsOf(each, kind, { isKept: true, name })
    return contents.length > 0 ? contents : [textContent('')]
  })
}

function scalarOf(
  value: unknown, kind: Exclude<Kind, object>, isKept: boolean,
): readonly Content[] {
  switch (kind) {
    case 'whole': return nonZero(wholeOf(value))
    case 'number': return nonZero(typeof value === 'string' ? enumOf(value) : wholeOf(value))
    case 'bool': return nonZero(flagOf(value) ? 1n : 0n)
    case 'dec': case 'decBytes': case 'digits': return [textContent(atomicsOf(textOf(value)))]
    case 'any': return [bytesContent(anyOf(packedOfJson(value)))]
    case 'time': return [bytesContent(timestamp.encode(timeOf(textOf(value))))]
    case 'duration': return [bytesContent(durationOf(textOf(value)))]
    default: return textOf(value) === '' && !isKept ? [] : [textContent(textOf(value))]
  }
}

function nonZero(value: bigint): readonly Content[] {
  return value === 0n ? [] : [{ wireType: 0, value: BigInt.asUintN(64, value) }]
}

function bytesContent(value: Uint8Array): Content {
  return { wireType: 2, value }
}

function textContent(value: string): Content {
  return bytesContent(new TextEncoder().encode(value))
}

const packedMessage = message<Packed>({ 1: ['typeUrl', text], 2: ['value', bytes] })

function anyOf(packed: Packed): Uint8Array {
  return packedMessage.encode(packed)
}

const durationMessage = message<{ seconds: bigint; nanos: bigint }>({
  1: ['seconds', int64], 2: ['nanos', int64],
})

function durationOf(spelled: string): Uint8Array {
  const match = /^(-?)(\d{1,12})(?:\.(\d{1,9}))?s$/.exec(spelled)
  if (match === null) throw new ProtoJsonError(`bad Duration: time: invalid duration "${spelled}"`)
  const [, sign, seconds = '0', fraction = ''] = match
  const way = sign === '-' ? -1n : 1n
  return durationMessage.encode({
    seconds: way * BigInt(seconds), nanos: way * BigInt(fraction.padEnd(9, '0')),
  })
}

function timeOf(spelled: string) {
  try {
    return parseTime(spelled)
  } catch (error) {
    if (!(error instanceof TimeSyntaxError)) throw error
    throw new ProtoJsonError(`bad Timestamp: ${error.message}`)
  }
}

/** On the wire a decimal is its digits with 18 places. */
function atomicsOf(spelled: string): string {
  const match = /^(-?)(\d{1,60})(?:\.(\d{1,18}))?$/.exec(spelled)
  if (match === null) {
    throw new ProtoJsonError(`failed to set decimal string with base 10: ${spelled}`)
  }
  const [, sign = '', whole = '0', fraction = ''] = match
  return `${sign}${BigInt(`${whole}${fraction.padEnd(18, '0')}`)}`
}

const enumNumbers: Readonly<Record<string, bigint>> = {
  VOTE_OPTION_UNSPECIFIED: 0n, VOTE_OPTION_YES: 1n, VOTE_OPTION_ABSTAIN: 2n, VOTE_OPTION_NO: 3n,
  VOTE_OPTION_NO_WITH_VETO: 4n,
  ACCESS_TYPE_PERMISSIONLESS: 0n, ACCESS_TYPE_RESTRICTED: 1n, ACCESS_TYPE_PERMISSIONED: 2n,
  AUTHORIZATION_TYPE_UNSPECIFIED: 0n, AUTHORIZATION_TYPE_DELEGATE: 1n,
  AUTHORIZATION_TYPE_UNDELEGATE: 2n, AUTHORIZATION_TYPE_REDELEGATE: 3n,
  AUTHORIZATION_TYPE_CANCEL_UNBONDING_DELEGATION: 4n,
}

function enumOf(name: string): bigint {
  const number = enumNumbers[name]
  if (number === undefined) throw new ProtoJsonError(`unknown value "${name}" for enum`)
  return number
}

function objectOf(value: unknown): Members {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw wrongType(value, 'map[string]json.RawMessage')
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  throw wrongType(value, 'string')
}

function wholeOf(value: unknown): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  if (typeof value === 'string' && /^-?\d{1,20}$/.test(value)) return BigInt(value)
  throw wrongType(value, 'int64')
}

function flagOf(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw wrongType(value, 'bool')
}

function wrongType(value: unknown, wanted: string): ProtoJsonError {
  const found = Array.isArray(value) ? 'array' : value === null ? 'null' : goNames[typeof value]
  return new ProtoJsonError(`json: cannot unmarshal ${found} into Go value of type ${wanted}`)
}

const goNames: Readonly<Record<string, string>> = {
  string: 'string', number: 'number', boolean: 'bool', object: 'object',
}

/** JSON that is no such message; the text is Go's, as near as it is known. */
export class ProtoJsonError extends SimError {
  constructor(text: string) {
    super('BAD_PROTO_JSON', text, {
      hint: 'Write the message as the SDK does: "@type", snake_case names, whole numbers as texts.',
    })
  }
}
