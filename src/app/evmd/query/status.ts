import { sdkError, TxError } from '../txError.ts'

/** Returns what a gRPC handler's `InvalidArgument` becomes on this interface. */
export function invalidArgument(text: string): TxError {
  return sdkError('invalidRequest', `rpc error: code = InvalidArgument desc = ${text}`)
}

/** Returns what a gRPC handler's `NotFound` becomes on this interface. */
export function notFound(text: string): TxError {
  return sdkError('keyNotFound', `rpc error: code = NotFound desc = ${text}`)
}
