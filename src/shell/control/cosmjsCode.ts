/** Formats the messages of a Cosmos transaction as JavaScript for CosmJS. */
import { base64Of } from '../../codec/base64.ts'
import { txBodyOf } from '../../codec/messages/cosmos.ts'
import { namedCodec, type MessageValue } from '../../codec/schema/codecs.ts'
import type { Field } from '../../codec/schema/descriptor.ts'
import { isRegistered } from '../../codec/schema/files.ts'
import { messageDescriptor } from '../../codec/schema/lookup.ts'
import type { Time } from '../../data/time.ts'

type Packed = { readonly typeUrl: string; readonly value: Uint8Array }

/**
 * Returns a list of `{ typeUrl, value }` with the members, bigints and bytes that CosmJS encodes.
 * Bytes are written as `fromBase64('…')`. Returns undefined if the bytes are not a Cosmos
 * transaction.
 */
export function cosmjsMessages(raw: Uint8Array): string | undefined {
  try {
    const { messages } = txBodyOf(raw)
    return `[${messages.map((one) => `\n  ${messageCode(one, '  ')},`).join('')}\n]`
  } catch {
    return undefined
  }
}

function messageCode({ typeUrl, value }: Packed, indent: string): string {
  const inner = isRegistered(typeUrl)
    ? membersCode(typeUrl.slice(1), namedCodec(typeUrl.slice(1)).decode(value), `${indent}  `)
    : bytesCode(value)
  return `{\n${indent}  typeUrl: ${JSON.stringify(typeUrl)},\n${indent}  value: ${inner},\n${indent}}`
}

function membersCode(name: string, value: MessageValue, indent: string): string {
  const lines = messageDescriptor(name)
    .fields.filter(({ jsonName }) => value[jsonName] !== undefined)
    .map((field) => `${indent}  ${field.jsonName}: ${fieldCode(field, value[field.jsonName], `${indent}  `)},\n`)
  return lines.length === 0 ? '{}' : `{\n${lines.join('')}${indent}}`
}

function fieldCode(field: Field, value: unknown, indent: string): string {
  if (!field.isList) return itemCode(field, value, indent)
  return `[${(value as readonly unknown[]).map((item) => itemCode(field, item, indent)).join(', ')}]`
}

function itemCode(field: Field, value: unknown, indent: string): string {
  switch (field.kind) {
    case 'message':
      return innerCode(field.typeName, value, indent)
    case 'int64':
    case 'uint64':
    case 'sfixed64':
      return `${String(value)}n`
    case 'bytes':
      return bytesCode(value instanceof Uint8Array ? value : new TextEncoder().encode(String(value)))
    case 'string':
      return JSON.stringify(String(value))
    default:
      return String(value)
  }
}

function innerCode(name: string, value: unknown, indent: string): string {
  if (name === 'google.protobuf.Any') {
    const { typeUrl, value: bytes } = value as Packed
    return `{ typeUrl: ${JSON.stringify(typeUrl)}, value: ${bytesCode(bytes)} }`
  }
  if (name === 'google.protobuf.Timestamp' || name === 'google.protobuf.Duration') {
    const { seconds, nanos } = value as Time
    return `{ seconds: ${seconds}n, nanos: ${nanos} }`
  }
  return membersCode(name, value as MessageValue, indent)
}

const bytesCode = (bytes: Uint8Array) => `fromBase64('${base64Of(bytes)}')`
