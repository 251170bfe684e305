/** Properties of REST API and gRPC-web requests that the shell needs. */
import type { IncomingMessage } from 'node:http'
import type { Settings } from '../../settings/settings.ts'

/** Returns whether the address of the REST API serves gRPC-web too. */
export function servesGrpcWeb({ grpcEnable, grpcWebEnable }: Settings): boolean {
  return grpcEnable && grpcWebEnable
}

/** Returns whether a request is gRPC-web, which shares the address of the REST API. */
export function isGrpcWeb(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  settings: Settings,
): boolean {
  return (
    servesGrpcWeb(settings) && method === 'POST' && (headers['content-type'] ?? '').startsWith('application/grpc-web')
  )
}

/** Returns the headers of a REST API request that affect its response. */
export function gatewayHeaders(headers: IncomingMessage['headers']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => decidesRest.test(name))
      .map(([name, value]) => [name, String(value)]),
  )
}

const decidesRest = /^(?:x-cosmos-block-height|grpc-timeout|grpc-encoding|grpc-metadata-.*|access-control-request-.*)$/
