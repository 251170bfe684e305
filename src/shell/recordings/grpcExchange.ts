/** What a recording keeps of a gRPC call with one message each way. */
import type { IncomingHttpHeaders } from 'node:http2'
import { GrpcStatus } from '../../app/grpcStatus.ts'
import { frameLength, readFrame } from '../../rpc/grpc/frames.ts'

/** Longer calls are passed on and not recorded. */
export const mostBytes = 64 * 1024 * 1024

/** The frames that went one way, and the headers with them; those of an answer have its trailers. */
export type OneWay = { readonly sent: Buffer; readonly headers: IncomingHttpHeaders }

/** Messages are in base64 and unpacked; `res` of a refusal is its text, and `status` is gRPC's. */
export type Exchange = { readonly req: string; readonly res: string; readonly status: number }

/** Returns what was exchanged; undefined for streams, and for what is broken. */
export function readExchange(request: OneWay, answer: OneWay): Exchange | undefined {
  const { headers } = answer
  const status = Number(headers['grpc-status'] ?? Number.NaN)
  const req = onlyMessage(request)
  if (req === undefined || !Number.isInteger(status)) return undefined
  if (status !== 0) return { req, res: decodeURIComponent(String(headers['grpc-message'] ?? '')), status }
  const res = onlyMessage(answer)
  return res === undefined ? undefined : { req, res, status }
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
