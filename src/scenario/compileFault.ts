import type { FaultMatch, FaultRule, FaultSelect } from '../fault/rule.ts'
import { compileEffects } from './effects/index.ts'
import type { FaultFile } from './faultSchema.ts'

/** Returns the compiled rule of a fault; absent members match and select everything. */
export function compileFault(name: string, file: FaultFile): FaultRule {
  return {
    name,
    match: matchOf(file.match ?? {}),
    select: selectOf(file.select),
    at: file.at ?? 'before',
    effects: compileEffects(file.effect),
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
