/** Reads single values of paths and query strings as grpc-gateway v1 does. */
import { readBase64 } from '../../codec/base64.ts'
import type { Field, MessageDescriptor } from '../../codec/schema/descriptor.ts'
import { fromJson, ProtoJsonError } from '../../codec/schema/protoJsonRead.ts'
import { findEnum, messageDescriptor } from '../../codec/schema/lookup.ts'
import { grpcCodes, type GrpcStatus, earlyStatus } from '../../app/grpcStatus.ts'
import { goInteger } from '../../codec/goIntegers.ts'

/** Returns the REST API's error for a request that cannot be read. */
export function badRequest(text: string): GrpcStatus {
  return earlyStatus(grpcCodes.invalidArgument, text)
}

/**
 * Returns the decoded value of a field of `owner`, or of an element of it. Throws `GrpcStatus` with Go's
 * text. Numbers may have a base other than ten.
 */
export function restScalar(field: Field, text: string, owner: MessageDescriptor): unknown {
  switch (field.kind) {
    case 'string':
      return text
    case 'bool':
      return boolOf(text)
    case 'bytes':
      return bytesOf(text)
    case 'enum':
      return enumOf(field, text, owner)
    case 'int32':
    case 'uint32':
      return Number(integerOf(field.kind, text))
    case 'int64':
    case 'uint64':
      return integerOf(field.kind, text)
    case 'message':
      return messageOf(field, text)
    default:
      throw badRequest(`field type ${String(field.kind)} is not supported in query parameters`)
  }
}

function integerOf(kind: 'int32' | 'int64' | 'uint32' | 'uint64', text: string): bigint {
  const value = goInteger(text, kind, { anyBase: true })
  if (typeof value === 'bigint') return value
  throw badRequest(value)
}

const truths = new Set(['1', 't', 'T', 'TRUE', 'true', 'True'])
const falsehoods = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False'])

function boolOf(text: string): boolean {
  if (truths.has(text)) return true
  if (falsehoods.has(text)) return false
  throw badRequest(`strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`)
}

/** Returns the bytes of a base64 text, in the standard or the URL alphabet. */
function bytesOf(text: string): Uint8Array {
  const standard = readBase64(text)
  if (typeof standard !== 'string') return standard
  const bytes = readBase64(text.replace(/[+/_-]/g, (one) => ({ '-': '+', _: '/' })[one] ?? '!'))
  if (typeof bytes !== 'string') return bytes
  throw badRequest(bytes)
}

/** Go does not know the names of this enumeration: it is registered under another package. */
const namelessEnum = 'cosmos.gov.v1beta1.ProposalStatus'

function enumOf({ typeName }: Field, text: string, { goName }: MessageDescriptor): number {
  if (typeName === namelessEnum) return Number(integerOf('int32', text))
  const values = findEnum(typeName)?.values ?? []
  const read = goInteger(text, 'int64')
  const wanted = typeof read === 'bigint' ? Number(BigInt.asIntN(32, read)) : undefined
  const found = values.find(({ name, number }) => name === text || number === wanted)
  if (found !== undefined) return found.number
  const [goPackage = ''] = goName.split('.')
  throw badRequest(`${text} is not a valid ${goPackage}.${typeName.split('.').at(-1) ?? ''}`)
}

/** Times and durations can be given as texts; other messages only field by field. */
function messageOf({ typeName, isList }: Field, text: string): unknown {
  if (typeName !== 'google.protobuf.Timestamp' && typeName !== 'google.protobuf.Duration') {
    const type = `*${messageDescriptor(typeName).goName}`
    throw badRequest(
      isList ? `unsupported field type ${type}` : `field type ${type} is not supported in query parameters`,
    )
  }
  try {
    return fromJson(typeName, text)
  } catch (error) {
    if (!(error instanceof ProtoJsonError)) throw error
    throw badRequest(error.message)
  }
}
