/** Adds an exchange with the REST API or gRPC to a draft, as a service call and its answer. */
import { canonicalJson } from '../../data/canonicalJson.ts'
import { restCall } from '../../rpc/rest/call.ts'
import { callOf } from '../../rpc/grpc/request.ts'
import { GrpcStatus } from '../../app/grpcStatus.ts'
import type { Call } from '../../rpc/transport.ts'
import type { Side } from '../../settings/side.ts'
import { sentParams, type SentCall } from './callKey.ts'
import { asked, note, noteUnanswered, type Draft } from './draft.ts'
import { sideOfTap, type TapLine } from './tapLine.ts'
import { tenths } from './headTimes.ts'

/** Adds an exchange, unless it is not a service call. */
export function takeService(draft: Draft, side: Side, line: TapLine): void {
  const { t, ms = 0, conn, res } = line
  const found = side === 'rest' ? restCallOf(line) : grpcCallOf(line)
  if (found === undefined) return
  const call: SentCall = { side, method: found.name, params: sentParams(found.params) }
  const message = answerIn(line)
  const at = tenths(t + ms)
  asked(draft, call, { conn, t })
  if (res === undefined || message === undefined) noteUnanswered(draft, call, { from: t, at })
  else note(draft, call, { from: t, at, message })
}

function restCallOf({ method = 'GET', path = '/', req = '', at }: TapLine): Call | undefined {
  return refusedIsNone(() => restCall({ verb: method, target: path, body: req, height: at }))
}

function grpcCallOf({ path = '', req = '', at }: TapLine): Call | undefined {
  return refusedIsNone(() => callOf(path.replace(/^\//, ''), Buffer.from(req, 'base64'), at))
}

function refusedIsNone(read: () => Call | undefined): Call | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof GrpcStatus)) throw error
    return undefined
  }
}

type Message = ReadonlyMap<string, string>

/**
 * Returns the answer in an exchange, as the members of a JSON-RPC response; undefined if there is
 * none.
 */
export function answerIn(line: TapLine): Message | undefined {
  return sideOfTap(line.iface) === 'rest' ? restAnswer(line) : grpcAnswer(line)
}

function restAnswer({ status, res = '', isEarly }: TapLine): Message | undefined {
  if (status === 200) return new Map([['result', res]])
  const { code, message } = JSON.parse(res) as { code?: unknown; message?: unknown }
  return typeof code === 'number' ? refusal({ code, message: String(message), isEarly }) : undefined
}

/**
 * Returns the answer of gRPC. `status` is the gRPC status; an error has its text instead of a
 * message.
 */
function grpcAnswer({ status = 0, res = '', isEarly }: TapLine): Message {
  return status === 0 ? new Map([['result', JSON.stringify(res)]]) : refusal({ code: status, message: res, isEarly })
}

type Refusal = { readonly code: number; readonly message: string; readonly isEarly: true | undefined }

function refusal({ code, message, isEarly }: Refusal): Message {
  return new Map([['error', canonicalJson({ code, message, ...(isEarly && { isEarly }) })]])
}
