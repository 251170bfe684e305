/** Protobuf bytes as amino JSON, by shape (cosmos-sdk x/tx/signing/aminojson). */
import { SimError } from '../errors.ts'
import { aminoShapes, type Fields, type Kind } from './aminoShapes.ts'
import { base64Of } from './base64.ts'
import type { Plain, PlainObject } from './goJsonWrite.ts'
import { timestamp } from './protobuf/comet.ts'
import { int64, repeated } from './protobuf/message.ts'
import { ProtobufError, readFields, type WireField } from './protobuf/wire.ts'
import { formatTime } from './time.ts'

/** A message packed with its type. */
export type Packed = { readonly typeUrl: string; readonly value: Uint8Array }

const keyNames: Readonly<Record<string, string>> = {
  '/cosmos.crypto.ed25519.PubKey': 'tendermint/PubKeyEd25519',
  '/cosmos.crypto.secp256k1.PubKey': 'tendermint/PubKeySecp256k1',
}

/**
 * Returns a message as `{ type, value }`. Throws `AminoError` when it, or what it packs, has none
 * here, and `ProtobufError` for bytes that are no such message.
 */
export function aminoOf({ typeUrl, value }: Packed): PlainObject {
  const key = keyNames[typeUrl]
  if (key !== undefined) return { type: key, value: base64Of(bytesOf(readFields(value)[0])) }
  const shape = aminoShapes.get(typeUrl)
  if (shape === undefined) throw new AminoError(typeUrl)
  return { type: shape.name, value: objectOf(value, shape.fields) }
}

function objectOf(bytes: Uint8Array, fields: Fields): PlainObject {
  const wire = readFields(bytes)
  const object: Record<string, Plain> = {}
  for (const [number, [name, kind, keeps]] of Object.entries(fields)) {
    const found = wire.filter((field) => field.number === Number(number))
    const value = found.length === 0 ? undefined : valueOf(found, kind)
    if (value !== undefined) object[name] = value
    else if (keeps === '!') object[name] = emptyOf(kind)
  }
  return object
}

/** Returns undefined for what counts as empty. */
function valueOf(found: readonly WireField[], kind: Kind): Plain | undefined {
  const last = found.at(-1)
  if (kind === 'coins') return listOf(found, coin)
  if (typeof kind === 'string') return scalarOf(last, kind)
  if (isList(kind)) return listOf(found, kind.list)
  if (isOneof(kind)) {
    return { type: kind.oneof, value: { [kind.name]: objectOf(bytesOf(last), kind.fields) } }
  }
  return objectOf(bytesOf(last), kind)
}

const coin: Fields = { 1: ['denom', 'text'], 2: ['amount', 'int', '!'] }

function listOf(found: readonly WireField[], kind: Kind): Plain[] {
  if (kind === 'whole') return found.flatMap(packedWhole)
  return found.map((field) => valueOf([field], kind) ?? emptyOf(kind))
}

/** Whole numbers come packed, or one by one. */
function packedWhole(field: WireField): string[] {
  const list = repeated(int64)
  return list.read(field).map((each) => each.toString())
}

function emptyOf(kind: Kind): Plain {
  if (kind === 'coins') return []
  if (
    kind === 'int' || kind === 'dec' || kind === 'decBytes' || kind === 'whole'
      || kind === 'duration'
  ) return '0'
  if (kind === 'number') return 0
  if (kind === 'bool') return false
  if (typeof kind === 'string') return kind === 'any' ? null : ''
  return isList(kind) || isOneof(kind) ? null : objectOf(new Uint8Array(0), kind)
}

function isList(kind: Exclude<Kind, string>): kind is { readonly list: Kind } {
  return 'list' in kind
}

type Oneof = { readonly oneof: string; readonly name: string; readonly fields: Fields }

function isOneof(kind: Exclude<Kind, string>): kind is Oneof {
  return 'oneof' in kind
}

function scalarOf(field: WireField | undefined, kind: string): Plain | undefined {
  switch (kind) {
    case 'whole': return wholeOf(field) === 0n ? undefined : wholeOf(field).toString()
    case 'number': return wholeOf(field) === 0n ? undefined : Number(wholeOf(field))
    case 'bool': return wholeOf(field) === 0n ? undefined : true
    case 'any': return aminoOf(packedOf(bytesOf(field)))
    case 'time': return formatTime(timestamp.decode(bytesOf(field)))
    case 'duration': return durationOf(bytesOf(field))
    case 'dec': case 'decBytes': return decimalOf(textOf(field))
    default: return textOf(field) === '' ? undefined : textOf(field)
  }
}

function packedOf(bytes: Uint8Array): Packed {
  const fields = readFields(bytes)
  const of = (number: number) => fields.findLast((field) => field.number === number)
  const value = of(2)
  return { typeUrl: textOf(of(1)), value: value === undefined ? new Uint8Array(0) : bytesOf(value) }
}

/** Whole nanoseconds. */
function durationOf(bytes: Uint8Array): string {
  const fields = readFields(bytes)
  const of = (number: number) => wholeOf(fields.findLast((field) => field.number === number))
  return (of(1) * 1_000_000_000n + of(2)).toString()
}

/** On the wire a decimal is its digits with 18 places; amino shows the point. */
function decimalOf(digits: string): string | undefined {
  if (digits === '') return undefined
  const isNegative = digits.startsWith('-')
  const padded = digits.slice(isNegative ? 1 : 0).padStart(19, '0')
  return `${isNegative ? '-' : ''}${padded.slice(0, -18)}.${padded.slice(-18)}`
}

function wholeOf(field: WireField | undefined): bigint {
  if (field === undefined) return 0n
  if (field.wireType === 2) throw new ProtobufError('proto: wrong wireType = 2')
  return BigInt.asIntN(64, field.value)
}

function bytesOf(field: WireField | undefined): Uint8Array {
  if (field?.wireType === 2) return field.value
  throw new ProtobufError(`proto: wrong wireType = ${field?.wireType ?? 0}`)
}

function textOf(field: WireField | undefined): string {
  return field === undefined ? '' : new TextDecoder().decode(bytesOf(field))
}

/** A message that a legacy amino signer cannot have signed here. */
export class AminoError extends SimError {
  constructor(typeUrl: string) {
    super('NO_AMINO_FORM', `no amino JSON form for ${typeUrl}`, {
      hint: `Sign it with SIGN_MODE_DIRECT. Known here: ${[...aminoShapes.keys()].join(', ')}.`,
    })
  }
}
