/** The compact text form of messages, which Go prints in errors (gogoproto text.go). */
import { protoQuote } from '../goText.ts'
import { type MessageValue, isNumber, namedCodec } from './codecs.ts'
import type { Field } from './descriptor.ts'
import { findEnum, messageDescriptor } from './lookup.ts'

/**
 * Returns the text of an encoded message, such as `denom:"atest" amount:"5" `. Each field is
 * followed by a space. Throws `ProtobufError` for malformed bytes.
 */
export function compactText(name: string, bytes: Uint8Array): string {
  return fieldsText(name, namedCodec(name).decode(bytes))
}

function fieldsText(name: string, value: MessageValue): string {
  return messageDescriptor(name)
    .fields.flatMap((field) => {
      const member = value[field.jsonName]
      if (Array.isArray(member)) return member.map((each) => fieldText(field, each))
      return isOmitted(field, member) ? [] : [fieldText(field, member)]
    })
    .join('')
}

function fieldText(field: Field, value: unknown): string {
  return `${field.name}:${valueText(field, value)} `
}

function valueText(field: Field, value: unknown): string {
  const { kind, typeName } = field
  if (kind === 'message') return `<${fieldsText(typeName, value as MessageValue)}>`
  if (kind === 'enum') return findEnum(typeName)?.values.find((each) => each.number === value)?.name ?? `${value}`
  if (isNumber(field)) return protoQuote((value as string) || '0')
  return typeof value === 'string' || value instanceof Uint8Array ? protoQuote(value) : `${value}`
}

/** Zeros are omitted, but not structs and numbers of arbitrary size. */
function isOmitted(field: Field, value: unknown): boolean {
  const { kind, typeName, isNullable, hasPresence } = field
  if (value === undefined) return true
  if (typeName === durationName && !isNullable) return Object.values(value as MessageValue).every((part) => !part)
  if (kind === 'message' || isNumber(field) || hasPresence) return false
  return value instanceof Uint8Array ? value.length === 0 : !value
}

const durationName = 'google.protobuf.Duration'
