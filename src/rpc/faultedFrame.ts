/** Applies faults to responses (`mocks.md` §3.3). */
import type { BodyDamage } from '../fault/effect.ts'
import type { FaultDecision } from '../fault/rule.ts'
import type { WireEffect } from '../node/output.ts'
import type { Framed } from './transport.ts'

/** Returns the response after a fault; `id` is the id of the call that the fault hit. */
export function faultedFrame(framed: Framed, { terminal, cors, retryAfterMs }: FaultDecision, id: string): Framed {
  const seconds = String(Math.max(1, Math.ceil(Number(retryAfterMs) / 1000)))
  const filledIn = ([name, value]: readonly [string, string]) =>
    [name, value.replaceAll('$retryAfter', seconds)] as const
  const stripped = cors === 'strip' ? ({ cors } as const) : {}
  if (terminal?.type === 'body') {
    const { bytes, body } = framed
    return {
      ...framed,
      ...stripped,
      body: damagedBody(body, terminal.damage),
      ...(bytes && { bytes: damagedBytes(bytes, terminal.damage) }),
    }
  }
  if (terminal?.type !== 'http') return { ...framed, ...stripped }
  const { status, headers, body } = terminal
  return {
    status,
    headers: [...typeOf(headers, body), ...headers.map(filledIn), ...exposed(headers, cors)],
    body: body.replaceAll('"$id"', id),
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

/** Returns the effect of a fault on the transport below the message, or undefined. */
export function wireOf(decision: FaultDecision | undefined): WireEffect | undefined {
  const effect = decision?.terminal
  switch (effect?.type) {
    case 'hang':
    case 'reset':
    case 'framing':
    case 'slowClose':
    case 'dribble':
      return effect
    case 'timeout':
      return { type: 'end' }
    case 'refuse':
      return { type: 'reset', when: 'beforeHeaders' }
    case 'body':
      return effect.damage === 'empty' ? { type: 'empty' } : undefined
    case 'wsClose': {
      const { code, reason, midFrame } = effect
      return { type: 'close', code, reason, ...(midFrame ? { midFrame } : {}) }
    }
    default:
      return undefined
  }
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
  if (damage === 'truncate') return bytes.slice(0, Math.ceil(bytes.length / 2))
  return bytes.map((byte, at) => (at === grpcHeadBytes ? 0xff : byte))
}

/** Length of the prefix of a gRPC message: the flag (1 byte) and the message length (4 bytes). */
const grpcHeadBytes = 5
