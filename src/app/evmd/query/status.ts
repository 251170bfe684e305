/** Errors of gRPC handlers, as `abci_query` shows them (cosmos-sdk baseapp gRPCErrorToSDKError). */
import { thrownText } from '../../../errors.ts'
import { type SdkError, sdkError, TxError } from '../txError.ts'

const named = {
  InvalidArgument: 'invalidRequest', NotFound: 'keyNotFound', Internal: 'unknownRequest',
  Unknown: 'unknownRequest',
} as const satisfies Record<string, SdkError>

/** Returns what a gRPC handler's `InvalidArgument` becomes on this interface. */
export function invalidArgument(text: string): StatusError {
  return statusError('InvalidArgument', text)
}

/** Returns what a gRPC handler's `NotFound` becomes on this interface. */
export function notFound(text: string): StatusError {
  return statusError('NotFound', text)
}

/** Returns what a gRPC handler's error with a status becomes on this interface. */
export function statusError(status: keyof typeof named, text: string): StatusError {
  return new StatusError(sdkError(named[status], `rpc error: code = ${status} desc = ${text}`))
}

/**
 * Returns the refusal that a handler's error is: the SDK's own errors are unknown requests there,
 * and what is no error of the SDK is an invalid one.
 */
export function statusOf(error: unknown): TxError {
  if (error instanceof StatusError) return error
  if (error instanceof TxError) return sdkError('unknownRequest', error.message)
  const text = thrownText(error)
  // What the generated decoders call a premature end is an unexpected one in Go.
  return sdkError('invalidRequest', text.replace('premature EOF', 'unexpected EOF'))
}

/** A query that its handler refuses with a status. */
class StatusError extends TxError {
  constructor({ message, abciCode: code, codespace }: TxError) {
    super(message, { code, codespace })
  }
}
