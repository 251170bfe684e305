/** Extracts the recorded part of a unary gRPC call. */
import type { IncomingHttpHeaders } from 'node:http2'
import { GrpcStatus } from '../../app/grpcStatus.ts'
import { heightHeader } from '../../rpc/cosmos/height.ts'
import { frameLength, readFrame } from '../../rpc/grpc/frames.ts'

/** Maximum size in bytes of a recorded call; larger calls are only forwarded. */
export const mostBytes = 64 * 1024 * 1024

/** The frames and headers of one direction. Those of a response include its trailers. */
export type OneWay = { readonly sent: Buffer; readonly headers: IncomingHttpHeaders }

/**
 * Decompressed messages in base64. `status` is the gRPC status; for an error, `res` is its text.
 */
export type GrpcExchange = {
  readonly req: string
  readonly res: string
  readonly status: number
  readonly isEarly?: true
}

/** Returns the exchange; undefined for streams and malformed calls. */
export function readExchange(request: OneWay, answer: OneWay): GrpcExchange | undefined {
  const { headers } = answer
  const status = Number(headers['grpc-status'] ?? Number.NaN)
  const req = onlyMessage(request)
  if (req === undefined || !Number.isInteger(status)) return undefined
  if (status !== 0) {
    const early = headers[heightHeader] === undefined ? { isEarly: true as const } : {}
    return { req, res: decoded(String(headers['grpc-message'] ?? '')), status, ...early }
  }
  const res = onlyMessage(answer)
  return res === undefined ? undefined : { req, res, status }
}

/** Decodes an error text. Some nodes send it raw, and it then stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function onlyMessage({ sent, headers }: OneWay): string | undefined {
  if (frameLength(sent, mostBytes) !== sent.length) return undefined
  const encoding = String(headers['grpc-encoding'] ?? 'identity')
  try {
    const message = readFrame(sent, { most: mostBytes, encoding })
    return message === undefined ? undefined : Buffer.from(message).toString('base64')
  } catch (error) {
    if (!(error instanceof GrpcStatus)) throw error
    return undefined
  }
}
