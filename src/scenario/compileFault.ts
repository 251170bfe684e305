import { latencyTable } from '../fault/distribution.ts'
import type { FaultEffect } from '../fault/effect.ts'
import type { FaultMatch, FaultRule, FaultSelect } from '../fault/rule.ts'
import type { FaultFile } from './schema.ts'

/** Returns the compiled rule of a fault; absent members match and select everything. */
export function compileFault(name: string, file: FaultFile): FaultRule {
  return {
    name,
    match: matchOf(file.match ?? {}),
    select: selectOf(file.select),
    at: file.at ?? 'before',
    effects: effectsOf(file.effect),
    cors: file.cors ?? file.effect.cors ?? 'keep',
  }
}

function matchOf(match: NonNullable<FaultFile['match']>): FaultMatch {
  const { iface, transport, method, except, session, client, subscription, batch, params } = match
  return {
    ...(iface && { sides: iface }),
    ...(transport && { transport }),
    ...(method && { methods: method }),
    ...(except && { except }),
    ...(session !== undefined && { session }),
    ...(params !== undefined && { params: JSON.stringify(params) }),
    ...(client?.origin !== undefined && { origin: client.origin }),
    ...(client?.userAgent !== undefined && { userAgent: client.userAgent }),
    ...(subscription && { subscriptions: subscription }),
    ...(batch !== undefined && batch !== 'any' && { batch }),
  }
}

function selectOf(select: FaultFile['select']): FaultSelect {
  const { skip, count, per, probability, key, rate, schedule } = select ?? {}
  if (probability !== undefined) {
    return { type: 'probability', ...probability, key: key ?? 'count' }
  }
  if (rate !== undefined) {
    const { limit, burst, by, counting } = rate
    return {
      type: 'rate',
      limit,
      perMs: rate.per,
      burst: burst ?? limit,
      by: by ?? 'all',
      counting: counting ?? 'bucket',
    }
  }
  if (schedule !== undefined) return { type: 'schedule', ...schedule }
  if (skip === undefined && count === undefined) return { type: 'all' }
  return { type: 'window', skip: skip ?? 0, count, per: per ?? 'call' }
}

type EffectFile = FaultFile['effect']

/** Returns the effects, latency first, because it combines with all others. */
function effectsOf(effect: EffectFile): readonly FaultEffect[] {
  const { latency, stale, indexLag, ws, refuse } = effect
  return [
    ...(latency ? [latencyOf(latency)] : []),
    ...(stale ? [{ type: 'stale', lag: stale.lag, flip: stale.flip ?? false } as const] : []),
    ...(indexLag ? [{ type: 'indexLag', lag: indexLag } as const] : []),
    ...messageEffects(effect),
    ...wireEffects(effect),
    ...(refuse ? [{ type: 'refuse' } as const] : []),
    ...(ws ? socketEffects(ws) : []),
  ]
}

/** Returns the effects on the content of the response. */
function messageEffects({ http, rpcError, grpc, provider, nullResult, mutate }: EffectFile): readonly FaultEffect[] {
  return [
    ...(http
      ? [
          {
            type: 'http',
            status: http.status,
            headers: Object.entries(http.headers ?? {}),
            body: textOf(http.body),
          } as const,
        ]
      : []),
    ...(provider
      ? [
          {
            type: 'http',
            status: provider.status,
            headers: Object.entries(provider.headers),
            body: JSON.stringify({ jsonrpc: '2.0', id: '$id', error: provider.error }),
          } as const,
        ]
      : []),
    ...(rpcError
      ? [
          {
            type: 'rpcError',
            code: rpcError.code,
            message: rpcError.message,
            ...(rpcError.data === undefined ? {} : { data: JSON.stringify(rpcError.data) }),
          } as const,
        ]
      : []),
    ...(grpc ? [{ type: 'rpcError', ...grpc } as const] : []),
    ...(nullResult
      ? [
          {
            type: 'result',
            changes: [{ path: '', change: 'remove', value: 'null' }],
          } as const,
        ]
      : []),
    ...(mutate ? [{ type: 'result', changes: mutate } as const] : []),
  ]
}

/** Returns the effects on the response's bytes and connection. */
function wireEffects(effect: EffectFile): readonly FaultEffect[] {
  const { dribble, bandwidth, slowClose, hang, timeout, reset } = effect
  return [
    ...damageOf(effect),
    ...(dribble ? [{ type: 'dribble', bytes: dribble.bytes, everyMs: Number(dribble.every) } as const] : []),
    ...(bandwidth ? [pacedBy(bandwidth)] : []),
    ...(slowClose !== undefined ? [{ type: 'slowClose', afterMs: Number(slowClose) } as const] : []),
    ...(hang ? [{ type: 'hang' } as const] : []),
    ...(timeout !== undefined ? [{ type: 'timeout', afterMs: Number(timeout) } as const] : []),
    ...(reset ? [{ type: 'reset', when: reset } as const] : []),
  ]
}

/** Returns a dribble for a bandwidth: 20 chunks per second, or single bytes at a lower rate. */
function pacedBy(bytesPerSecond: number): FaultEffect {
  const bytes = Math.ceil(bytesPerSecond / 20)
  return { type: 'dribble', bytes, everyMs: Math.round((bytes * 1000) / bytesPerSecond) }
}

/** CometBFT's own reason for cancelling a subscription. */
const slowReader = 'client is not pulling messages fast enough'

function socketEffects(ws: NonNullable<EffectFile['ws']>): readonly FaultEffect[] {
  const { drop, delay, duplicate, reorder, stall, close, refuseFor, cancelSubscription, refuse } = ws
  const reason = typeof cancelSubscription === 'object' ? cancelSubscription.reason : undefined
  return [
    ...(delay ? [{ type: 'wsDelay', minMs: delay.min, maxMs: delay.max } as const] : []),
    ...(drop ? [{ type: 'wsDrop' } as const] : []),
    ...(duplicate !== undefined ? [{ type: 'wsDuplicate', copies: duplicate } as const] : []),
    ...(reorder ? [{ type: 'wsReorder', window: reorder.window } as const] : []),
    ...(stall ? [{ type: 'wsStall', backlog: stall.backlog } as const] : []),
    ...(close
      ? [
          {
            type: 'wsClose',
            code: close.code,
            reason: close.reason ?? '',
            midFrame: close.mid === 'frame',
            refuseFor,
          } as const,
        ]
      : []),
    ...(cancelSubscription ? [{ type: 'wsCancel', reason: reason ?? slowReader } as const] : []),
    ...(refuse ? [{ type: 'wsRefuse', status: refuse === true ? 503 : refuse.status } as const] : []),
  ]
}

function latencyOf(latency: NonNullable<EffectFile['latency']>): FaultEffect {
  if ('min' in latency) return { type: 'latency', minMs: latency.min, maxMs: latency.max }
  return { type: 'latencyTable', ms: 'table' in latency ? latency.table : latencyTable(latency) }
}

function damageOf({ empty, truncate, malformed }: EffectFile): readonly FaultEffect[] {
  if (malformed !== undefined && malformed !== 'json') return [{ type: 'framing', damage: malformed }]
  const damage = empty ? 'empty' : truncate ? 'truncate' : malformed
  return damage === undefined ? [] : [{ type: 'body', damage }]
}

function textOf(body: unknown): string {
  return body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
}
