/**
 * The service `grpc.health.v1.Health`, for orchestrators and load balancers. The node does not have
 * it.
 */
import { grpcCodes, GrpcStatus } from '../../app/grpcStatus.ts'
import { int32, message, text } from '../../codec/protobuf/message.ts'
import { servedServices } from '../../codec/schema/files.ts'
import { grpcQuery } from './grpcMethod.ts'

const request = message<{ service: string }>({ 1: ['service', text] })
const response = message<{ status: number }>({ 1: ['status', int32] })
const [serving, serviceUnknown] = [1, 3]

export const healthCheck = grpcQuery('grpc.health.v1.Health/Check', (_context, data) => {
  if (!isServed(data)) throw new GrpcStatus(grpcCodes.notFound, 'unknown service')
  return response.encode({ status: serving })
})

/** Sends one status and keeps the stream open (`staysOpen`): the status never changes. */
export const healthWatch = grpcQuery('grpc.health.v1.Health/Watch', (_context, data) =>
  response.encode({ status: isServed(data) ? serving : serviceUnknown }),
)

/** Returns whether a request names a served service; '' names the whole server. */
function isServed(data: Uint8Array | undefined): boolean {
  const { service } = request.decode(data ?? new Uint8Array(0))
  return service === '' || servedServices.includes(service)
}
