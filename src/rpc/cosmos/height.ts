/** The header that selects the state to read (`cosmos-rest-grpc.md` §4). */
import { grpcCodes, earlyStatus } from '../../app/grpcStatus.ts'
import { goInteger } from '../../codec/goIntegers.ts'

/** The name of the header, in requests and in responses. */
export const heightHeader = 'x-cosmos-block-height'

/**
 * Returns the height in the header's value; 0 is the latest. Throws `GrpcStatus` with Go's text.
 */
export function heightInHeader(header: string): bigint {
  const found = goInteger(header, 'int64')
  if (typeof found === 'bigint') return found
  throw earlyStatus(
    grpcCodes.unknown,
    'codespace sdk code 18: invalid request: ' +
      `Baseapp.RegisterGRPCServer: invalid height header "${heightHeader}": ${found}`,
  )
}

/** Returns the height that a response names: the one that its request asked for, or else the newest. */
export function shownHeight(header: string | undefined, head: bigint): string {
  const asked = header === undefined ? 0n : goInteger(header, 'int64')
  return String(typeof asked === 'bigint' && asked !== 0n ? asked : head)
}
