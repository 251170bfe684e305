/** The service `grpc.health.v1.Health`, for orchestrators and load balancers; the node has no such service. */
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

/** Its stream stays open (`staysOpen`): the status does not change for as long as the process runs. */
export const healthWatch = grpcQuery('grpc.health.v1.Health/Watch', (_context, data) =>
  response.encode({ status: isServed(data) ? serving : serviceUnknown }),
)

/** '' is the whole server. */
function isServed(data: Uint8Array | undefined): boolean {
  const { service } = request.decode(data ?? new Uint8Array(0))
  return service === '' || servedServices.includes(service)
}
