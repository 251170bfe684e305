/** Reads gRPC requests (`cosmos-rest-grpc.md` §10, §11). */
import { isExpected } from '../../errors.ts'
import { grpcCodes, GrpcStatus, earlyStatus } from '../../app/grpcStatus.ts'
import { concatBytes } from '../../data/bytes.ts'
import { readBase64 } from '../../codec/base64.ts'
import { writeJson } from '../../codec/goJsonWrite.ts'
import { goText, ProtobufError } from '../../codec/protobuf/wire.ts'
import { namedCodec } from '../../codec/schema/codecs.ts'
import { findMethod } from '../../codec/schema/lookup.ts'
import { toJson } from '../../codec/schema/protoJson.ts'
import type { RequestInput } from '../../node/input.ts'
import type { Settings } from '../../settings/settings.ts'
import { heightHeader } from '../cosmos/height.ts'
import type { Call } from '../transport.ts'
import { readFrame } from './frames.ts'
import { readTimeout, quickestNanos } from './timeout.ts'

const none = new Uint8Array(0)

/** A request that is not gRPC; `httpStatus` tells proxies so. */
export class NoGrpc extends GrpcStatus {
  readonly httpStatus: number

  constructor(httpStatus: number, code: number, text: string) {
    super(code, text, { isEarly: true })
    this.httpStatus = httpStatus
  }
}

/** Throws `NoGrpc` for a request of another protocol, and `GrpcStatus` for an expired time-out. */
export function assertGrpc({ verb, contentType, headers = {} }: RequestInput): void {
  if (!/^application\/grpc(?:[+;]|$)/.test(contentType)) {
    throw new NoGrpc(415, grpcCodes.invalidArgument, `invalid gRPC request content-type ${JSON.stringify(contentType)}`)
  }
  const header = headers['grpc-timeout']
  const timeout = header === undefined ? undefined : readTimeout(header)
  if (typeof timeout === 'string') {
    throw new NoGrpc(400, grpcCodes.internal, `malformed grpc-timeout: ${timeout}`)
  }
  if (verb !== 'POST') {
    throw new NoGrpc(
      405,
      grpcCodes.internal,
      `Received a HEADERS frame with :method ${JSON.stringify(verb)} which should be POST`,
    )
  }
  if (timeout !== undefined && timeout < quickestNanos) {
    throw earlyStatus(grpcCodes.deadlineExceeded, 'context deadline exceeded')
  }
}

/**
 * Returns the call of a request to a method; if `message` is undefined, the stream has no message.
 * Throws `GrpcStatus`.
 */
export function readCall(name: string, request: RequestInput, settings: Settings): Call {
  const { headers = {}, bytes = none } = request
  const { 'grpc-encoding': encoding = 'identity' } = headers
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw earlyStatus(grpcCodes.unimplemented, `grpc: Decompressor is not installed for grpc-encoding "${encoding}"`)
  }
  const message = readFrame(bytes, { most: settings.grpcMaxRecvMsgSize, encoding })
  return callOf(name, message, headers[heightHeader])
}

/**
 * Returns a call with the encoded message. Throws `GrpcStatus` for bytes that cannot be decoded.
 */
export function callOf(name: string, message: Uint8Array | undefined, height: string | undefined): Call {
  const text = message === undefined ? 'null' : checkedText(name, message)
  return {
    name,
    id: '',
    params: {
      form: 'json',
      text,
      height,
      ...(message === undefined ? {} : { message }),
    },
  }
}

/** Returns a message as JSON, for the journal and faults; `{}` if it has no JSON form. */
function checkedText(name: string, message: Uint8Array): string {
  const input = findMethod(`/${name}`)?.input
  if (input === undefined || (!input.startsWith('cosmos') && !input.startsWith('ibc'))) return '{}'
  const value = decoded(input, message)
  try {
    return writeJson(toJson(input, value))
  } catch (error) {
    if (!isExpected(error)) throw error
    return '{}'
  }
}

function decoded(input: string, message: Uint8Array) {
  try {
    return namedCodec(input).decode(message)
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error
    throw earlyStatus(grpcCodes.internal, `grpc: error unmarshalling request: ${goText(error, input)}`)
  }
}

/**
 * Returns the bytes of an `application/grpc-web-text` body: base64 in pieces that may be padded.
 */
export function readWebText(text: string): Uint8Array {
  const pieces = text.match(/[^=]+=*/g) ?? []
  return concatBytes(
    pieces.map((piece) => {
      const bytes = readBase64(piece)
      if (typeof bytes === 'string') throw earlyStatus(grpcCodes.unknown, bytes)
      return bytes
    }),
  )
}
