/** Errors of gRPC services: a code of google.rpc.Code and a message. */
import { SimError } from '../errors.ts'

/** The codes of google.rpc.Code by number. */
export const grpcCodes = {
  ok: 0,
  canceled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
} as const

/**
 * The error with which a gRPC service rejects a call. `isEarly` means that the handler did not run,
 * so no metadata is sent.
 */
export class GrpcStatus extends SimError {
  readonly grpcCode: number
  readonly isEarly: boolean

  constructor(grpcCode: number, text: string, { isEarly = false } = {}) {
    super('GRPC_STATUS', text)
    this.grpcCode = grpcCode
    this.isEarly = isEarly
  }
}

/** Returns the status with which a call is rejected before its handler runs. */
export function earlyStatus(code: number, text: string): GrpcStatus {
  return new GrpcStatus(code, text, { isEarly: true })
}
