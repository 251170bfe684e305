/** Decodes the calls of services and shapes their errors, for REST and gRPC alike. */
import { grpcCodes, GrpcStatus } from '../../app/grpcStatus.ts'
import { thrownText } from '../../errors.ts'
import type { Side } from '../../settings/side.ts'
import type { Dialect, RpcErrorShape } from '../dialect.ts'
import { RpcError } from '../errors.ts'
import type { Table } from '../table.ts'

/** Returns the dialect of REST or gRPC for its table. */
export function servicesDialect(side: Side, table: Table): Dialect {
  return {
    side,
    table,
    allows: () => true,
    decodeParams: (_method, params) =>
      params.form === 'json' ? [params.message ?? new Uint8Array(0), params.height ?? '0'] : [new Uint8Array(0), '0'],
    errorOf,
    unknownMethod: (name) => {
      const [service = '', method = ''] = name.split('/')
      return {
        code: grpcCodes.unimplemented,
        data: undefined,
        isEarly: true,
        message: `unknown method ${method} for service ${service}`,
      }
    },
  }
}

function errorOf(error: unknown): RpcErrorShape {
  if (error instanceof GrpcStatus) {
    const { grpcCode: code, message, isEarly } = error
    return { code, message, data: undefined, isEarly }
  }
  const code = error instanceof RpcError ? grpcCodes.internal : grpcCodes.unknown
  return { code, message: thrownText(error), data: undefined }
}
