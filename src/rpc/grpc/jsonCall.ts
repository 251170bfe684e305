/**
 * gRPC calls of scenarios and the dashboard, with requests and responses in JSON: `{"method":
 * "cosmos.bank.v1beta1.Query/Balance", "params": {"address": "cosmos1…"}}`.
 */
import { grpcCodes, GrpcStatus } from '../../app/grpcStatus.ts'
import { writeJson, type Plain } from '../../codec/goJsonWrite.ts'
import { namedCodec } from '../../codec/schema/codecs.ts'
import { findMethod } from '../../codec/schema/lookup.ts'
import { toJson } from '../../codec/schema/protoJson.ts'
import { fromJson, ProtoJsonError } from '../../codec/schema/protoJsonRead.ts'
import type { Answer } from '../../node/answer.ts'
import type { RequestInput } from '../../node/input.ts'
import type { Call, Framed, Message } from '../transport.ts'
import { messageOf, messageText } from './grpcMethod.ts'
import { callOf } from './request.ts'
import { grpcResponse } from './response.ts'

const badRequest = -32600

/** Returns the call for a JSON text with a method and parameters. */
export function askedAsJson({ body }: RequestInput): Message {
  const asked = readAsked(body)
  if (asked === undefined) {
    return refused(badRequest, 'expected {"method": "package.Service/Method", "params": {…}}')
  }
  try {
    const call = callNamed(asked)
    return {
      kind: 'calls',
      calls: [call],
      frame: ([answer = { ok: undefined }]) => jsonResponse(answer, call),
    }
  } catch (error) {
    if (error instanceof GrpcStatus) return refused(error.grpcCode, error.message)
    if (error instanceof ProtoJsonError) return refused(3, error.message)
    throw error
  }
}

type JsonCall = { readonly method: string; readonly params: unknown }

function readAsked(body: string): JsonCall | undefined {
  try {
    const { method, params } = JSON.parse(body) as { method?: unknown; params?: unknown }
    return typeof method === 'string' ? { method, params } : undefined
  } catch {
    return undefined
  }
}

/** A list with one object is read as the object. */
function callNamed({ method, params }: JsonCall): Call {
  const given: unknown = Array.isArray(params) ? (params[0] ?? {}) : (params ?? {})
  return callOf(method, messageFrom(method, given), undefined)
}

/**
 * Returns the encoded request of a method, empty for an unknown method. Throws `ProtoJsonError`.
 */
export function messageFrom(method: string, json: unknown): Uint8Array {
  const input = findMethod(`/${method}`)?.input
  return input === undefined ? new Uint8Array(0) : namedCodec(input).encode(fromJson(input, json))
}

function jsonResponse(answer: Answer, { name }: Call): Framed {
  if (answer.ok !== true) {
    const { code, text } = grpcResponse(answer, undefined)
    return envelope({ error: { code, message: text } })
  }
  const output = findMethod(`/${name}`)?.output
  const message = messageOf(answer.text)
  if (output === undefined || message === undefined) return envelope({ result: null })
  return envelope({ result: toJson(output, namedCodec(output).decode(message)) })
}

/** Returns the message encoded from its changed JSON, or the error if that fails. */
export function changedMessage(name: string, text: string, change: (json: string) => string): Answer {
  const output = findMethod(`/${name}`)?.output
  const message = messageOf(text)
  if (output === undefined || message === undefined) return { ok: true, text }
  const changed = change(writeJson(toJson(output, namedCodec(output).decode(message))))
  if (changed === 'null') return { ok: true, text: changed }
  try {
    const value = fromJson(output, JSON.parse(changed))
    return { ok: true, text: messageText(namedCodec(output).encode(value)) }
  } catch (error) {
    if (!(error instanceof ProtoJsonError)) throw error
    const why = `a fault changed the response into JSON that ${output} cannot represent: ${error.message}`
    return { ok: false, error: { code: grpcCodes.internal, message: why, data: undefined } }
  }
}

function refused(code: number, message: string): Message {
  return { kind: 'response', framed: envelope({ error: { code, message } }) }
}

function envelope(said: Readonly<Record<string, Plain>>): Framed {
  return {
    status: 200,
    headers: [['Content-Type', 'application/json']],
    body: writeJson({ jsonrpc: '2.0', id: 1, ...said }),
  }
}
