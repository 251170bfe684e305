/** gRPC: reads requests into calls and writes answers as responses (`cosmos-rest-grpc.md` §10). */
import { grpcCodes, GrpcStatus, earlyStatus } from '../../app/grpcStatus.ts'
import { findService } from '../../codec/schema/lookup.ts'
import { servedServices } from '../../codec/schema/files.ts'
import type { RequestInput } from '../../node/input.ts'
import type { Node } from '../../node/node.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import { servicesDialect } from '../cosmos/dialect.ts'
import { heightHeader, shownHeight } from '../cosmos/height.ts'
import type { Dialect } from '../dialect.ts'
import { emptyTable } from '../table.ts'
import type { Framed, Message, Side } from '../transport.ts'
import { addedMethods, grpcTable, isStream, readsState } from './index.ts'
import { askedAsJson, changedMessage } from './jsonCall.ts'
import { assertGrpc, callOf, NoGrpc, readCall, readWebText } from './request.ts'
import { contentTypeOf, grpcResponse, type GrpcResponse, http2Response, webResponse } from './response.ts'

const dialect: Dialect = {
  ...servicesDialect('grpc', emptyTable),
  // Built on the first call, so that programs without gRPC start faster.
  get table() {
    return grpcTable()
  },
  allows: (method, { node }) => !addedMethods.includes(method) || !hasQuirk(node.settings, 'no-grpc-health'),
  // A stream without messages is valid.
  decodeParams: (_method, params) =>
    params.form === 'json' ? [params.message, params.height ?? '0'] : [undefined, '0'],
  unknownMethod: (name) => ({
    code: grpcCodes.unimplemented,
    message: unknownText(name),
    data: undefined,
    isEarly: true,
  }),
  changedAnswer: (name, text, change) => changedMessage(name, text, change),
}

export const grpcSide: Side = {
  dialect,
  isSerial: false,
  transportOf: () => 'post',
  read: (request, node) => {
    if (request.bytes === undefined) return askedAsJson(request)
    const respond = responder(request, node)
    try {
      return readRequest(request, node, respond)
    } catch (error) {
      if (!(error instanceof GrpcStatus)) throw error
      const { grpcCode: code, message: text } = error
      const refused = { code, text, message: undefined, height: undefined }
      const status = error instanceof NoGrpc ? error.httpStatus : undefined
      return { kind: 'response', framed: respond(refused, status) }
    }
  },
}

type Respond = (response: GrpcResponse, httpStatus?: number) => Framed

/** gRPC-web arrives on the port of the REST API and has content types of its own. */
function isWeb({ contentType, headers = {} }: RequestInput): boolean {
  return headers[':protocol'] === 'grpc-web' && contentType.startsWith('application/grpc-web')
}

function responder(request: RequestInput, { settings }: Node): Respond {
  const { contentType, origin, headers = {} } = request
  if (!isWeb(request)) {
    return (response, httpStatus) =>
      http2Response(response, {
        contentType: httpStatus === undefined ? contentTypeOf(contentType) : 'application/grpc',
        httpStatus,
        isGzip: headers['grpc-encoding'] === 'gzip',
      })
  }
  const web = { contentType, origin: settings.apiUnsafeCors ? origin : undefined }
  return (response) => webResponse(response, web)
}

function readRequest(request: RequestInput, node: Node, respond: Respond): Message {
  const sent = isWeb(request) ? webRequest(request) : request
  assertGrpc(sent)
  const name = request.target.replace(/^\//, '')
  const call = grpcTable().byName.has(name) ? readCall(name, sent, node.settings) : callOf(name, undefined, undefined)
  assertMessage(name, call.params)
  const height = readsState(name)
    ? shownHeight(sent.headers?.[heightHeader], request.head ?? node.chain.height)
    : undefined
  return {
    kind: 'calls',
    calls: [call],
    frame: ([answer = { ok: undefined }]) => {
      // Its errors come from the handler, which has already sent the height.
      const isHandled = name.endsWith('/BroadcastTx') && answer.ok === false
      const given = isHandled ? { ...answer, error: { ...answer.error, isEarly: false } } : answer
      return respond(sendable(grpcResponse(given, height), node))
    },
  }
}

/** Only a stream can have no message. */
function assertMessage(name: string, params: object): void {
  if ('message' in params || isStream(name) || !grpcTable().byName.has(name)) return
  throw earlyStatus(grpcCodes.unknown, 'EOF')
}

function webRequest(request: RequestInput): RequestInput {
  const { bytes, contentType } = request
  const isText = contentType.startsWith('application/grpc-web-text')
  const content = isText ? readWebText(new TextDecoder().decode(bytes)) : bytes
  return {
    ...request,
    contentType: 'application/grpc',
    ...(content === undefined ? {} : { bytes: content }),
  }
}

function sendable(response: GrpcResponse, { settings }: Node): GrpcResponse {
  const { length = 0 } = response.message ?? {}
  const most = settings.grpcMaxSendMsgSize
  return length <= most
    ? response
    : {
        ...response,
        code: grpcCodes.resourceExhausted,
        message: undefined,
        text: `grpc: trying to send message larger than max (${length} vs. ${most})`,
      }
}

function unknownText(name: string): string {
  const at = name.lastIndexOf('/')
  if (at < 0) return `malformed method name: "/${name}"`
  const service = name.slice(0, at)
  const isServed = servedServices.includes(service) && findService(service) !== undefined
  return isServed ? `unknown method ${name.slice(at + 1)} for service ${service}` : `unknown service ${service}`
}
