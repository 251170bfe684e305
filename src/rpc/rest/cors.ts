/** CORS of the REST API when it is enabled (gorilla/handlers; `cosmos-rest-grpc.md` §6). */
import type { RequestInput } from '../../node/input.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import type { Settings } from '../../settings/settings.ts'
import { serverTime } from '../comet/page.ts'
import { heightHeader } from '../cosmos/height.ts'
import type { Framed } from '../transport.ts'

const methods = ['GET', 'HEAD', 'POST']

/** Headers that browsers send without permission. */
const safelisted = ['accept', 'accept-language', 'content-language', 'origin']

/** Headers that gRPC-web clients send, and the height headers of all clients. */
const headersOfClients = [
  'x-grpc-web',
  'x-user-agent',
  'grpc-timeout',
  'grpc-encoding',
  heightHeader,
  `grpc-metadata-${heightHeader}`,
]

/**
 * Returns the CORS headers that let pages of other origins read a response with the given headers.
 */
export function readable({ origin }: RequestInput, settings: Settings, headers: Framed['headers']): Framed['headers'] {
  if (origin === undefined) return []
  const open = ['Access-Control-Allow-Origin', '*'] as const
  if (hasQuirk(settings, 'few-cors-headers')) return [open]
  const names = headers.map(([name]) => name).filter((name) => name !== 'Content-Type')
  return names.length === 0 ? [open] : [open, ['Access-Control-Expose-Headers', names.join(', ')]]
}

/** Returns the response to OPTIONS, for any path. */
export function preflight({ origin, headers = {} }: RequestInput, settings: Settings): Framed {
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
    .filter((name) => name !== '' && !safelisted.includes(name))
  const allowed = ['content-type', ...(hasQuirk(settings, 'few-cors-headers') ? [] : headersOfClients)]
  if (wanted.some((name) => !allowed.includes(name))) return answer(403)
  const granted = wanted.map((name) => (name === 'content-type' ? 'Content-Type' : name))
  return answer(200, [
    ...(granted.length > 0 ? [['Access-Control-Allow-Headers', granted.join(', ')] as const] : []),
    ['Access-Control-Allow-Origin', '*'],
  ])
}
