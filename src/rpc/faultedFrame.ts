/** Applies faults to responses (`mocks.md` §3.3). */
import { type BodyDamage, replyFaultOf } from '../fault/effect.ts'
import type { FaultDecision } from '../fault/rule.ts'
import { halfOf } from '../fault/wire.ts'
import type { Framed } from './transport.ts'

/**
 * Returns the response after a fault; `id` is the JSON text of the id of the call that the fault hit,
 * or empty for a call without one (REST API, gRPC).
 */
export function faultedFrame(framed: Framed, { terminal, cors, retryAfterMs }: FaultDecision, id: string): Framed {
  const seconds = String(Math.max(1, Math.ceil(Number(retryAfterMs) / 1000)))
  const filledIn = ([name, value]: readonly [string, string]) =>
    [name, value.replaceAll('$retryAfter', seconds)] as const
  const stripped = cors === 'strip' ? ({ cors } as const) : {}
  const { message } = replyFaultOf(terminal)
  if (message === undefined) return { ...framed, ...stripped }
  if ('damage' in message) {
    const { bytes, body } = framed
    return {
      ...framed,
      ...stripped,
      body: damagedBody(body, message.damage),
      ...(bytes && { bytes: damagedBytes(bytes, message.damage) }),
    }
  }
  const { status, headers, body } = message
  return {
    status,
    headers: [...typeOf(headers, body), ...headers.map(filledIn), ...exposed(headers, cors)],
    // A function, because an id may contain a replacement pattern such as $&.
    body: body.replaceAll('"$id"', () => (id === '' ? 'null' : id)),
    ...stripped,
  }
}

/** Adds a content type where a rule gives none: JSON by its first character, else plain text. */
function typeOf(headers: Framed['headers'], body: string): Framed['headers'] {
  if (headers.some(([name]) => name.toLowerCase() === 'content-type')) return []
  const isJson = /^[[{]/.test(body)
  return [['Content-Type', isJson ? 'application/json' : 'text/plain; charset=utf-8']]
}

/** Exposes the headers of a fault to pages of other origins (Fetch standard, CORS). */
function exposed(headers: Framed['headers'], cors: FaultDecision['cors']): Framed['headers'] {
  return cors === 'strip' || headers.length === 0
    ? []
    : [['Access-Control-Expose-Headers', headers.map(([name]) => name).join(', ')]]
}

/** `truncate` keeps the first half of the body; `json` doubles the first comma. */
function damagedBody(body: string, damage: BodyDamage): string {
  if (damage === 'empty') return ''
  return damage === 'truncate' ? body.slice(0, Math.ceil(body.length / 2)) : body.replace(',', ',,')
}

/**
 * Damages a gRPC body. With `json` the first tag is invalid: the message is complete but cannot be
 * decoded.
 */
function damagedBytes(bytes: Uint8Array, damage: BodyDamage): Uint8Array {
  if (damage === 'empty') return new Uint8Array(0)
  if (damage === 'truncate') return halfOf(bytes)
  return bytes.map((byte, at) => (at === grpcHeadBytes ? 0xff : byte))
}

/** Length of the prefix of a gRPC message: the flag (1 byte) and the message length (4 bytes). */
const grpcHeadBytes = 5
