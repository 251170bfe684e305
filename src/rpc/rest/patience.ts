/** The header `grpc-timeout` (`cosmos-rest-grpc.md` §1): how long a client waits. */
import { grpcCodes, earlyStatus } from '../../app/grpcStatus.ts'
import { quickestNanos, unitsInNanos } from '../grpc/timeout.ts'
import { badRequest } from './scalars.ts'

/** Throws `GrpcStatus` for an invalid time-out, and for one too short for any response. */
export function assertPatient(header: string | undefined): void {
  if (header === undefined || header === '') return
  const [, digits, unit = ''] = /^(\d{1,18})([numSMH])$/.exec(header) ?? []
  if (digits === undefined) throw badRequest(`invalid grpc-timeout: ${header}`)
  if (BigInt(digits) * (unitsInNanos[unit] ?? 1n) < quickestNanos) {
    throw earlyStatus(grpcCodes.deadlineExceeded, 'context deadline exceeded')
  }
}
