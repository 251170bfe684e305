/** The answer of a chain that has been stopped. */
import { grpcCodes } from '../app/grpcStatus.ts'
import { memberOf } from '../codec/codec.ts'
import { parseJsonPrefix, type Json } from '../codec/goJson.ts'
import type { Output, ReplyOutput } from '../node/output.ts'
import type { InputBody } from '../plan/input.ts'
import { gatewayRefusal } from '../rpc/rest/frame.ts'

export const stoppedText = 'the chain was stopped'

/**
 * The ids of the calls of a request, as JSON text; a list if the response is one. A request of the REST API
 * has none.
 */
export type Ids = string | readonly string[] | undefined

export const noIds: Ids = 'null'

/** The longest ids of a request that are kept, in characters: every one makes its response longer. */
const idsMost = 65_536

/** Returns the reply to a request that the chain can no longer answer, in all interfaces. */
export function stoppedReply(ids: Ids): ReplyOutput {
  const body = typeof ids === 'string' ? errorTo(ids) : `[${(ids ?? []).map(errorTo).join(',')}]`
  const framed = { status: 503, headers: [['Content-Type', 'application/json'] as const], body }
  return { kind: 'reply', seq: 0, ...(ids === undefined ? ofRest : framed), wire: undefined }
}

const ofRest = gatewayRefusal({ code: grpcCodes.unavailable, message: stoppedText, data: undefined })

function errorTo(id: string): string {
  return `{"jsonrpc":"2.0","id":${id},"error":{"code":-32603,"message":"${stoppedText}"}}`
}

/** Returns the ids of a request; `noIds` if its calls have none, or far too many. Never throws. */
export function idsOf(input: InputBody): Ids {
  if (input.kind === 'request' && input.side === 'rest') return undefined
  if (input.kind !== 'request' || (input.side !== 'eth' && input.side !== 'comet')) return noIds
  const isComet = input.side === 'comet'
  // CometBFT answers calls by path under this id.
  if (isComet && input.body === '') return '-1'
  const wire = jsonOf(input.body)
  if (wire?.type !== 'array') return copied([idOf(wire) ?? 'null'])[0] ?? noIds
  const ids = copied(wire.items.map(idOf).filter((id) => id !== undefined))
  // CometBFT's response to a batch with one call is no list.
  return ids.length > (isComet ? 1 : 0) ? ids : (ids[0] ?? noIds)
}

/** Returns the ids of a request that its outputs leave unanswered. */
export function unansweredIds(input: InputBody, outputs: readonly Output[]): Ids {
  return outputs.some(({ kind }) => kind === 'reply') ? noIds : idsOf(input)
}

/** Copies texts: a part of a text keeps all of it in memory. */
function copied(ids: readonly string[]): readonly string[] {
  const size = ids.reduce((sum, { length }) => sum + length, 0)
  return size > idsMost ? [] : ids.map((id) => Buffer.from(id).toString())
}

function jsonOf(body: string): Json | undefined {
  try {
    return parseJsonPrefix(body).value
  } catch {
    return undefined
  }
}

/** Returns the id of a call, undefined for a notification. */
function idOf(wire: Json | undefined): string | undefined {
  if (wire?.type !== 'object') return 'null'
  const id = memberOf(wire, 'id')
  return id?.type === 'object' || id?.type === 'array' ? 'null' : id?.raw
}
