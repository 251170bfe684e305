/** CORS of the REST API when it is open (gorilla/handlers; `cosmos-rest-grpc.md` §6). */
import type { RequestInput } from '../../node/input.ts'
import { serverTime } from '../comet/page.ts'
import type { Framed } from '../transport.ts'

const methods = ['GET', 'HEAD', 'POST']
const headersAllowed = ['accept', 'accept-language', 'content-language', 'origin', 'content-type']

/** Returns the header that lets pages of other origins read an answer. */
export function readable({ origin }: RequestInput): Framed['headers'] {
  return origin === undefined ? [] : [['Access-Control-Allow-Origin', '*']]
}

/** Returns the answer to OPTIONS: no route is looked up. */
export function preflight({ origin, headers = {} }: RequestInput): Framed {
  const answer = (status: number, more: Framed['headers'] = []): Framed => ({
    status,
    headers: [...more, serverTime],
    body: '',
  })
  if (origin === undefined) return answer(200)
  const method = headers['access-control-request-method']
  if (method === undefined || method === '') return answer(400)
  if (!methods.includes(method)) return answer(405)
  const wanted = (headers['access-control-request-headers'] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '')
  if (wanted.some((name) => !headersAllowed.includes(name))) return answer(403)
  const isTyped = wanted.includes('content-type')
  return answer(200, [
    ...(isTyped ? [['Access-Control-Allow-Headers', 'Content-Type'] as const] : []),
    ['Access-Control-Allow-Origin', '*'],
  ])
}
