import { latencyTable } from '../fault/distribution.ts'
import type { FaultEffect, FaultRule, FaultSelect } from '../fault/rule.ts'
import type { FaultFile } from './schema.ts'

/** Returns the rule that a fault of a file describes; what it leaves out matches and selects all. */
export function compileFault(name: string, file: FaultFile): FaultRule {
  const match = file.match ?? {}
  return {
    name,
    match: {
      ...(match.iface && { sides: match.iface }),
      ...(match.transport && { transport: match.transport }),
      ...(match.method && { methods: match.method }),
      ...(match.except && { except: match.except }),
      ...(match.session && { session: match.session }),
    },
    select: selectOf(file.select),
    at: file.at ?? 'before',
    effects: effectsOf(file.effect),
    cors: file.cors ?? 'keep',
  }
}

function selectOf(select: FaultFile['select']): FaultSelect {
  if (select?.probability !== undefined) return { type: 'probability', ...select.probability }
  if (select?.rate !== undefined) {
    const { limit, per, burst } = select.rate
    return { type: 'rate', limit, perMs: per, burst: burst ?? limit }
  }
  const { skip, count } = select ?? {}
  return skip === undefined && count === undefined ? { type: 'all' } : { type: 'window', skip: skip ?? 0, count }
}

/** Latency first: it adds to whatever else happens. */
function effectsOf(effect: FaultFile['effect']): readonly FaultEffect[] {
  const { latency, http, rpcError, hang, reset, nullResult, mutate, dribble } = effect
  return [
    ...(latency ? [latencyOf(latency)] : []),
    ...(http ? [{
      type: 'http', status: http.status, headers: Object.entries(http.headers ?? {}),
      body: textOf(http.body),
    } as const] : []),
    ...(rpcError ? [{
      type: 'rpcError', code: rpcError.code, message: rpcError.message,
      ...(rpcError.data === undefined ? {} : { data: JSON.stringify(rpcError.data) }),
    } as const] : []),
    ...(nullResult ? [{ type: 'result', path: '', change: 'remove', value: 'null' } as const] : []),
    ...(mutate ? [{ type: 'result', ...mutate } as const] : []),
    ...damageOf(effect),
    ...(dribble ? [{ type: 'dribble', bytes: dribble.bytes, everyMs: Number(dribble.every) } as const] : []),
    ...(hang ? [{ type: 'hang' } as const] : []),
    ...(reset ? [{ type: 'reset', when: reset } as const] : []),
  ]
}

function latencyOf(latency: NonNullable<FaultFile['effect']['latency']>): FaultEffect {
  if ('min' in latency) return { type: 'latency', minMs: latency.min, maxMs: latency.max }
  return { type: 'latencyTable', ms: 'table' in latency ? latency.table : latencyTable(latency) }
}

function damageOf({ empty, truncate, malformed }: FaultFile['effect']): readonly FaultEffect[] {
  if (malformed !== undefined && malformed !== 'json') return [{ type: 'framing', damage: malformed }]
  const damage = empty ? 'empty' : truncate ? 'truncate' : malformed
  return damage === undefined ? [] : [{ type: 'body', damage }]
}

function textOf(body: unknown): string {
  return body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
}
