/** Writes answers of the REST API as HTTP responses (`cosmos-rest-grpc.md` §1, §2). */
import { grpcCodes } from '../../app/grpcStatus.ts'
import { rememberedBy } from '../../data/remembered.ts'
import { textOfUtf8, utf8Of } from '../../data/utf8.ts'
import type { Answer, AnswerError } from '../../node/answer.ts'
import { serverTime } from '../comet/page.ts'
import type { Framed } from '../transport.ts'

/** HTTP statuses by gRPC code (grpc-gateway v1 HTTPStatusFromCode). */
const statuses: Readonly<Record<number, number>> = {
  0: 200,
  1: 408,
  3: 400,
  4: 504,
  5: 404,
  6: 409,
  7: 403,
  8: 429,
  9: 400,
  10: 409,
  11: 400,
  12: 501,
  14: 503,
  16: 401,
}

const json = ['Content-Type', 'application/json'] as const
const ofHandler = ['Grpc-Metadata-Content-Type', 'application/grpc+cosmos-sdk-grpc-codec'] as const

/**
 * Returns the response to a call; `height` is that of the state that was read, undefined if none
 * was.
 */
export function restResponse(answer: Answer, height: string | undefined): Framed {
  if (answer.ok === undefined) return { status: 200, headers: [json, serverTime], body: '' }
  if (answer.ok) {
    return { status: 200, body: answer.text, headers: okHeaders(height) }
  }
  const { error } = answer
  const framed = gatewayRefusal(error)
  if (error.isEarly !== true) {
    return { ...framed, headers: [json, ...metadata(height), serverTime] }
  }
  return height === undefined
    ? framed
    : {
        ...framed,
        headers: [json, ['Trailer', trailerName], serverTime],
        trailers: [[trailerName, 'application/grpc']],
      }
}

/** Headers of a success; the same array for the same height, because what is made from it is known by the array. */
const okHeaders = rememberedBy(
  (height: string | undefined) => String(height),
  (height): Framed['headers'] => [json, ...metadata(height), ...heightOnly(height), serverTime],
  16,
)

const trailerName = 'Grpc-Trailer-Content-Type'

function metadata(height: string | undefined): Framed['headers'] {
  return height === undefined ? [] : [ofHandler, ['Grpc-Metadata-X-Cosmos-Block-Height', height]]
}

function heightOnly(height: string | undefined): Framed['headers'] {
  return height === undefined ? [] : [['X-Cosmos-Block-Height', height]]
}

/** Returns the response to a request that the gateway itself refuses. */
export function gatewayRefusal({ code, message, data }: Pick<AnswerError, 'code' | 'message' | 'data'>): Framed {
  // JSON-RPC codes come from faults and from internal errors of chainstage.
  const grpcCode = code >= 0 && code <= 16 ? code : grpcCodes.internal
  const text = grpcCode === code || data === undefined ? message : `${message}: ${data}`
  return {
    status: statuses[grpcCode] ?? 500,
    headers: [json, serverTime],
    body: `{"code":${grpcCode}, "message":${JSON.stringify(textOfUtf8(utf8Of(text)))}, "details":[]}`,
  }
}

/** The response to an unknown path or an unsupported verb. */
export const notImplemented: Framed = gatewayRefusal({
  code: grpcCodes.unimplemented,
  message: 'Not Implemented',
  data: undefined,
})
