/** Rejects fields that a message's definition does not declare (SDK codec/unknownproto). */
import { codecOf } from './codecs.ts'
import type { Field, MessageDescriptor } from './descriptor.ts'
import { isRegistered } from './files.ts'
import { findMessage, messageDescriptor } from './lookup.ts'
import { ProtowireError, tagAt, valueEnd, varintAt, type WireTag } from '../protobuf/protowire.ts'
import { ProtobufError } from '../protobuf/wire.ts'

/**
 * A field number with bit 11 set is non-critical: where allowed, the field may be unknown
 * (ADR-020).
 */
const nonCriticalBit = 1 << 10

/** The maximum nesting of messages; the SDK's limit of 10,000 would overflow the call stack. */
const deepest = 500

/**
 * Returns whether a message has unknown fields at any depth, including packed `Any` messages.
 * Throws `ProtobufError` with the SDK's text for the first field that is undeclared, truncated or
 * has the wrong wire type. It also throws for an `Any` with an unregistered type. With
 * `allowsNonCritical`, unknown fields whose number has bit 11 set are allowed.
 */
export function refuseUnknownFields(name: string, bytes: Uint8Array, { allowsNonCritical = false } = {}): boolean {
  return refuseIn(messageDescriptor(name), bytes, { allowsNonCritical, depth: 0 })
}

type Scan = { readonly allowsNonCritical: boolean; readonly depth: number }

function refuseIn(descriptor: MessageDescriptor, bytes: Uint8Array, scan: Scan): boolean {
  if (scan.depth > deepest) throw new ProtobufError('recursion limit reached')
  let hasUnknown = false
  for (let at = 0; at < bytes.length; ) {
    const tag = nextTag(bytes, at)
    const field = descriptor.byNumber.get(tag.number)
    if (field === undefined) refuseUnknown(descriptor, tag, scan)
    else refuseMismatch(descriptor, field, tag)
    at = endOf(bytes, tag)
    if (field === undefined) hasUnknown = true
    if (field?.kind !== 'message') continue
    const value = bytes.subarray(varintAt(bytes, tag.end).end, at)
    const inner = { ...scan, depth: scan.depth + 1 }
    const isOdd = refuseIn(messageDescriptor(field.typeName), value, inner)
    const isAny = field.typeName === 'google.protobuf.Any'
    hasUnknown = (isAny && refuseInAny(value, inner)) || isOdd || hasUnknown
  }
  return hasUnknown
}

function nextTag(bytes: Uint8Array, at: number): WireTag {
  try {
    return tagAt(bytes, at)
  } catch (error) {
    throw error instanceof ProtowireError ? new ProtobufError('invalid length') : error
  }
}

function endOf(bytes: Uint8Array, tag: WireTag): number {
  try {
    return valueEnd(bytes, tag)
  } catch (error) {
    if (!(error instanceof ProtowireError)) throw error
    throw new ProtobufError(
      `could not consume field value for tagNum: ${tag.number}, ` +
        `wireType: "${wireTypeName(tag)}"; ${error.message}`,
    )
  }
}

const anyCodec = codecOf('google.protobuf.Any')

function refuseInAny(bytes: Uint8Array, scan: Scan): boolean {
  const { typeUrl, value } = anyCodec.decode(bytes)
  const packed = isRegistered(typeUrl) ? findMessage(typeUrl.slice(1)) : undefined
  if (packed === undefined) throw new ProtobufError(`unable to resolve type URL ${typeUrl}`)
  return refuseIn(packed, value, { ...scan, depth: scan.depth + 1 })
}

function refuseUnknown({ goName }: MessageDescriptor, tag: WireTag, scan: Scan): void {
  if ((tag.number & nonCriticalBit) !== 0 && scan.allowsNonCritical) return
  const type = `WireType:"${wireTypeName(tag)}"`
  throw new ProtobufError(`errUnknownField "*${goName}": {TagNum: ${tag.number}, ${type}}`)
}

function refuseMismatch({ goName }: MessageDescriptor, field: Field, tag: WireTag): void {
  const wanted = wireTypeOf(field)
  // Numbers may be packed, whether or not the field is a list.
  if (tag.wireType === wanted || tag.wireType === 2) return
  throw new ProtobufError(
    `Mismatched "*${goName}": {TagNum: ${tag.number}, ` +
      `GotWireType: "${wireTypeName(tag)}" != WantWireType: "${wireTypeNames[wanted]}"}`,
  )
}

function wireTypeOf({ kind }: Field): 0 | 1 | 2 {
  switch (kind) {
    case 'string':
    case 'bytes':
    case 'message':
      return 2
    case 'sfixed64':
      return 1
    default:
      return 0
  }
}

function wireTypeName({ wireType }: WireTag): string {
  return wireTypeNames[wireType] ?? `unknown type: ${wireType}`
}

const wireTypeNames = ['varint', 'fixed64', 'bytes', 'start_group', 'end_group', 'fixed32']
