/** Responses as faults leave them (`mocks.md` §3.3). */
import type { BodyDamage } from '../fault/effect.ts'
import type { FaultDecision } from '../fault/rule.ts'
import type { WireEffect } from '../node/output.ts'
import type { Framed } from './transport.ts'

/** Returns the response that a fault makes of another one; `id` is that of the call it hit. */
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

/** Providers say what their answers are; a proxy in front of one answers in plain text. */
function typeOf(headers: Framed['headers'], body: string): Framed['headers'] {
  if (headers.some(([name]) => name.toLowerCase() === 'content-type')) return []
  const isJson = /^[[{]/.test(body)
  return [['Content-Type', isJson ? 'application/json' : 'text/plain; charset=utf-8']]
}

/** So that a page of another origin can read what its libraries wait for (Fetch standard, CORS). */
function exposed(headers: Framed['headers'], cors: FaultDecision['cors']): Framed['headers'] {
  return cors === 'strip' || headers.length === 0
    ? []
    : [['Access-Control-Expose-Headers', headers.map(([name]) => name).join(', ')]]
}

/** Returns what happens to a response below its message, or undefined. */
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

/** Cut in half it ends in the middle of a word; `json` has one comma too many. */
function damagedBody(body: string, damage: BodyDamage): string {
  if (damage === 'empty') return ''
  return damage === 'truncate' ? body.slice(0, Math.ceil(body.length / 2)) : body.replace(',', ',,')
}

/** Of a gRPC message, `json` breaks the first tag: the message is whole, but cannot be decoded. */
function damagedBytes(bytes: Uint8Array, damage: BodyDamage): Uint8Array {
  if (damage === 'empty') return new Uint8Array(0)
  if (damage === 'truncate') return bytes.slice(0, Math.ceil(bytes.length / 2))
  return bytes.map((byte, at) => (at === grpcHeadBytes ? 0xff : byte))
}

/** Flag and length of a message. */
const grpcHeadBytes = 5
