/**
 * The node's own WebSocket server (`cosmos-evm-rpc.md` §5.3, corrections-b 35, 36). It handles
 * subscriptions itself and forwards all other messages to the HTTP server.
 */
import { JsonSyntaxError, parseJson, type Json, type JsonObject } from '../../codec/goJson.ts'
import { ownAnswerText, type ToldAnswer } from './envelope.ts'
import { codes } from './errors.ts'

/** A message that is refused, handled here, or forwarded unchanged. */
export type SocketMessage =
  | { readonly type: 'refused'; readonly text: string }
  | {
      readonly type: 'own'
      readonly id: string
      readonly method: 'eth_subscribe' | 'eth_unsubscribe'
      readonly params: readonly Json[]
    }
  | { readonly type: 'forwarded' }

/** Returns how the server handles a message. */
export function readSocketMessage(text: string): SocketMessage {
  if (/^[ \t\r\n]*\[/.test(text)) return { type: 'forwarded' }
  let wire: Json
  try {
    wire = parseJson(text)
  } catch (error) {
    if (error instanceof JsonSyntaxError) return socketRefusal(error.message)
    throw error
  }
  if (wire.type === 'null') return { type: 'forwarded' }
  if (wire.type !== 'object') {
    return socketRefusal(`json: cannot unmarshal ${wire.type} into Go value of type map[string]interface {}`)
  }
  return ofObject(wire)
}

/** Returns the response to a refused message, whose id is unknown. */
function socketRefusal(message: string): SocketMessage {
  const answer: ToldAnswer = {
    ok: false,
    error: { code: codes.invalidRequest, message, data: undefined },
  }
  return { type: 'refused', text: ownAnswerText('null', answer) }
}

/** Returns the response to a subscription; if it failed, the id is lost. */
export function socketAnswer(id: string, answer: ToldAnswer): string {
  return answer.ok ? ownAnswerText(id, answer) : ownAnswerText('null', answer)
}

function ofObject(wire: JsonObject): SocketMessage {
  // Names must match exactly because the message is decoded into a map.
  const method = exact(wire, 'method')
  if (method?.type !== 'string') return { type: 'forwarded' }
  const id = numberOf(exact(wire, 'id'))
  if (typeof id === 'string') return socketRefusal(`invalid type for connection ID: ${id}`)
  if (method.value !== 'eth_subscribe' && method.value !== 'eth_unsubscribe') return { type: 'forwarded' }
  const params = exact(wire, 'params')
  if (params?.type !== 'array') return socketRefusal('invalid parameters')
  if (params.items.length === 0) return socketRefusal('empty parameters')
  if (params.items[0]?.type !== 'string') return socketRefusal('invalid parameters')
  return { type: 'own', id: JSON.stringify(id), method: method.value, params: params.items }
}

function exact(wire: JsonObject, name: string): Json | undefined {
  return wire.members.findLast(([each]) => each === name)?.[1]
}

/** Returns the number, or Go's name for the type of any other value. */
function numberOf(id: Json | undefined): number | string {
  switch (id?.type) {
    case undefined:
    case 'null':
      return '<nil>'
    case 'number':
      return Number(id.raw)
    case 'string':
      return id.value.trim() !== '' && Number.isFinite(Number(id.value)) ? Number(id.value) : 'string'
    case 'bool':
      return 'bool'
    case 'array':
      return '[]interface {}'
    case 'object':
      return 'map[string]interface {}'
  }
}
