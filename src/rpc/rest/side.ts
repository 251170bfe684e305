/** The Cosmos REST API: reads requests into calls (`cosmos-rest-grpc.md` §1). */
import { GrpcStatus } from '../../app/grpcStatus.ts'
import { writeJson } from '../../codec/goJsonWrite.ts'
import { namedCodec } from '../../codec/schema/codecs.ts'
import { toJson } from '../../codec/schema/protoJson.ts'
import { NilMessage } from '../../codec/schema/protoJsonRead.ts'
import type { RequestInput } from '../../node/input.ts'
import type { Node } from '../../node/node.ts'
import type { Settings } from '../../settings/settings.ts'
import { answerText, jsonResponse } from '../comet/envelope.ts'
import { cometError } from '../comet/errors.ts'
import { badPath, serverTime } from '../comet/page.ts'
import { cleanPath, escapePath, readTarget, unescapeGo } from '../comet/path.ts'
import { servicesDialect } from '../cosmos/dialect.ts'
import { heightHeader, shownHeight } from '../cosmos/height.ts'
import { servicesTable } from '../cosmos/table.ts'
import { emptyTable, type Table } from '../table.ts'
import type { Framed, Message, Side } from '../transport.ts'
import { matchedCall } from './call.ts'
import { preflight, readable } from './cors.ts'
import { notImplemented, gatewayRefusal, restResponse } from './frame.ts'
import { assertPatient } from './patience.ts'
import { matchRoute, type Matched } from './routes.ts'
import { documentation } from './swagger.ts'

export const restSide: Side = {
  dialect: {
    ...servicesDialect('rest', emptyTable),
    // Built on the first call, because it reads the descriptors of all services.
    get table() {
      return restTable()
    },
  },
  transportOf: ({ verb }) => (verb === 'GET' ? 'uri' : 'post'),
  isSerial: false,
  read: (request, node) => {
    const { settings } = node
    const { apiUnsafeCors } = settings
    if (apiUnsafeCors && request.verb === 'OPTIONS') return response(preflight(request, settings))
    const message = readRequest(request, node)
    if (!apiUnsafeCors) return message
    return message.kind === 'response'
      ? response(opened(request, settings, message.framed))
      : { ...message, frame: (answers) => opened(request, settings, message.frame(answers)) }
  },
}

let made: Table | undefined

function restTable(): Table {
  made ??= servicesTable((type, bytes) => writeJson(toJson(type, namedCodec(type).decode(bytes))))
  return made
}

function response(framed: Framed): Message {
  return { kind: 'response', framed }
}

function opened(request: RequestInput, settings: Settings, framed: Framed): Framed {
  return { ...framed, headers: [...framed.headers, ...readable(request, settings, framed.headers)] }
}

function readRequest(request: RequestInput, node: Node): Message {
  const target = readTarget(request.target)
  const path = unescapeGo(target.path, 'plusStays')
  if (path === undefined) return response(badPath)
  const clean = cleanPath(path)
  if (clean !== path && request.verb !== 'CONNECT') {
    return response(movedTo(clean, target.query))
  }
  const documented = node.settings.apiSwagger ? documentation(path) : undefined
  if (documented !== undefined) return response(documented)
  const matched = matchRoute(request.verb, path)
  if (matched === undefined) {
    return response(request.verb === 'HEAD' ? { ...notImplemented, body: '' } : notImplemented)
  }
  try {
    return readCall({ request, node, matched, query: target.query })
  } catch (error) {
    // CometBFT's HTTP server, in which the gateway runs, recovers from its panics.
    if (error instanceof NilMessage) {
      return response(
        jsonResponse(500, answerText('-1', { ok: false, error: cometError(-32603, error.message) }), false),
      )
    }
    if (!(error instanceof GrpcStatus)) throw error
    const { grpcCode: code, message } = error
    return response(gatewayRefusal({ code, message, data: undefined }))
  }
}

function movedTo(path: string, query: string): Framed {
  const location = escapePath(path) + (query === '' ? '' : `?${query}`)
  return { status: 301, headers: [['Location', location], serverTime], body: '' }
}

type Reading = {
  readonly request: RequestInput
  readonly node: Node
  readonly matched: Matched
  readonly query: string
}

function readCall({ request, node, matched, query }: Reading): Message {
  const { headers = {}, body } = request
  assertPatient(headers['grpc-timeout'])
  const call = matchedCall(matched, {
    query,
    body,
    height: headers[heightHeader] ?? headers[`grpc-metadata-${heightHeader}`],
  })
  const height = call.params.form === 'json' ? call.params.height : undefined
  const shown = call.name.endsWith('/BroadcastTx') ? undefined : shownHeight(height, request.head ?? node.chain.height)
  return {
    kind: 'calls',
    calls: [call],
    frame: ([answer = { ok: undefined }]) => restResponse(answer, shown),
  }
}
