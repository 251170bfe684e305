/** What the shell has to know of requests to the REST API and of gRPC-web. */
import type { IncomingMessage } from 'node:http'
import type { Settings } from '../settings/settings.ts'

/** Returns whether a request is gRPC-web, which shares the address of the REST API. */
export function isGrpcWeb({ method, headers }: IncomingMessage, { grpcEnable, grpcWebEnable }: Settings): boolean {
  return (
    grpcEnable &&
    grpcWebEnable &&
    method === 'POST' &&
    (headers['content-type'] ?? '').startsWith('application/grpc-web')
  )
}

/** Returns the headers by which the core answers a request to the REST API. */
export function gatewayHeaders(headers: IncomingMessage['headers']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => decidesRest.test(name))
      .map(([name, value]) => [name, String(value)]),
  )
}

const decidesRest = /^(?:x-cosmos-block-height|grpc-timeout|grpc-encoding|grpc-metadata-.*|access-control-request-.*)$/
