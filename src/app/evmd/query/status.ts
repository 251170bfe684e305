/**
 * Errors of gRPC handlers, as `abci_query` returns them (cosmos-sdk baseapp gRPCErrorToSDKError).
 */
import { GoPanic } from '../../../codec/comet.ts'
import { isExpected, SimError } from '../../../errors.ts'
import { grpcCodes, GrpcStatus } from '../../grpcStatus.ts'
import { type SdkError, sdkError, TxError } from '../txError.ts'

const named = {
  InvalidArgument: 'invalidRequest',
  NotFound: 'keyNotFound',
  FailedPrecondition: 'invalidRequest',
  Internal: 'unknownRequest',
  Unknown: 'unknownRequest',
} as const satisfies Record<string, SdkError>

/** Returns a gRPC handler's `InvalidArgument` error in the form for `abci_query`. */
export function invalidArgument(text: string): StatusError {
  return statusError('InvalidArgument', text)
}

/** Returns a gRPC handler's `NotFound` error in the form for `abci_query`. */
export function notFound(text: string): StatusError {
  return statusError('NotFound', text)
}

/** Returns the result of `find`. Its error becomes an internal gRPC error with the same text. */
export function orInternal<Found>(find: () => Found): Found {
  try {
    return find()
  } catch (error) {
    if (error instanceof TxError) throw statusError('Internal', goTextOf(error))
    throw error instanceof PlainQueryError ? statusError('Internal', error.message) : error
  }
}

/** Runs a check. A refusal becomes an `InvalidArgument` error with the same text. */
export function orInvalid(check: () => void): void {
  try {
    check()
  } catch (error) {
    throw error instanceof TxError ? invalidArgument(error.message) : error
  }
}

/** Returns the text of an error for Go code that calls a handler itself, without `abci_query`. */
export function goTextOf(error: TxError): string {
  if (!(error instanceof StatusError)) return error.message
  const { grpcCode, message } = error.status
  return `rpc error: code = ${nameOfCode(grpcCode)} desc = ${message}`
}

function nameOfCode(code: number): string {
  return Object.entries(codes).find(([, each]) => each === code)?.[0] ?? 'Unknown'
}

/** Returns a gRPC handler's error with a status, in the form for `abci_query`. */
export function statusError(status: keyof typeof named, text: string): StatusError {
  const wrapped = sdkError(named[status], `rpc error: code = ${status} desc = ${text}`)
  return new StatusError(wrapped, new GrpcStatus(codes[status], text))
}

/**
 * Returns the rejection for a handler's error. The SDK's own errors become unknown requests, panics stay
 * panics, and others become invalid requests. Rethrows a bug.
 */
export function statusOf(error: unknown): TxError {
  if (error instanceof StatusError) return error
  if (error instanceof TxError && !isPlain(error)) return sdkError('unknownRequest', error.message)
  if (error instanceof GoPanic) return sdkError('panic', error.message)
  const text = isExpected(error) ? error.message : undefined
  if (text === undefined) throw error
  return sdkError('invalidRequest', text)
}

/** Returns whether an error is a plain Go error, which no module has registered. */
function isPlain({ codespace }: TxError): boolean {
  return codespace === 'undefined'
}

/** A query handler rejects a request with a plain Go error. */
export class PlainQueryError extends SimError {
  constructor(text: string) {
    super('QUERY_REFUSED', text)
  }
}

const codes = {
  InvalidArgument: grpcCodes.invalidArgument,
  NotFound: grpcCodes.notFound,
  FailedPrecondition: grpcCodes.failedPrecondition,
  Internal: grpcCodes.internal,
  Unknown: grpcCodes.unknown,
} as const satisfies Record<keyof typeof named, number>

/**
 * Returns an error as gRPC clients see it (cosmossdk.io/errors GRPCStatus). A registered error
 * includes its codespace and texts, innermost first. Rethrows a bug.
 */
export function grpcStatusOf(error: unknown): GrpcStatus {
  if (error instanceof GrpcStatus) return error
  if (error instanceof StatusError) return error.status
  if (error instanceof TxError) return new GrpcStatus(grpcCodes.unknown, registeredText(error))
  if (error instanceof GoPanic) return new GrpcStatus(grpcCodes.internal, error.message)
  if (!isExpected(error)) throw error
  return new GrpcStatus(grpcCodes.unknown, error.message)
}

function registeredText(error: TxError): string {
  const { codespace, abciCode, message, parts } = error
  if (isPlain(error)) return message
  return `codespace ${codespace} code ${abciCode}: ${parts.join(': ')}`
}

/** A query handler rejects a request with a gRPC status. */
class StatusError extends TxError {
  readonly status: GrpcStatus

  constructor({ message, abciCode: code, codespace }: TxError, status: GrpcStatus) {
    super(message, { code, codespace })
    this.status = status
  }
}
