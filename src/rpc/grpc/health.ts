/** `grpc.health.v1.Health/Check`, which orchestrators call; the node has no such service. */
import { grpcCodes, GrpcStatus } from '../../app/grpcStatus.ts'
import { int32, message, text } from '../../codec/protobuf/message.ts'
import { servedServices } from '../../codec/schema/files.ts'
import { grpcQuery } from './grpcMethod.ts'

const request = message<{ service: string }>({ 1: ['service', text] })
const response = message<{ status: number }>({ 1: ['status', int32] })
const serving = 1

export const healthCheck = grpcQuery('grpc.health.v1.Health/Check', (_context, data) => {
  const { service } = request.decode(data ?? new Uint8Array(0))
  if (service !== '' && !servedServices.includes(service)) {
    throw new GrpcStatus(grpcCodes.notFound, 'unknown service')
  }
  return response.encode({ status: serving })
})
