/** The header that selects the state to read (`cosmos-rest-grpc.md` §4). */
import { grpcCodes, GrpcStatus } from '../../app/grpcStatus.ts'
import { goInteger } from '../../codec/goIntegers.ts'

/** The name of the header, in requests and in responses. */
export const heightHeader = 'x-cosmos-block-height'

/**
 * Returns the height in the header's value; 0 is the latest. Throws `GrpcStatus` with Go's text.
 */
export function heightOf(header: string): bigint {
  const found = goInteger(header, 'int64')
  if (typeof found === 'bigint') return found
  throw new GrpcStatus(
    grpcCodes.unknown,
    'codespace sdk code 18: invalid request: ' +
      `Baseapp.RegisterGRPCServer: invalid height header "${heightHeader}": ${found}`,
    { isEarly: true },
  )
}
