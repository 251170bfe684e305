import { bytesOfHex, hexOf } from '../codec/hex.ts'
import { keccakOfText } from '../crypto/hash.ts'
import { canonicalJson } from '../data/canonicalJson.ts'
import type { CallMatch, Counter, Match, Trigger } from '../plan/trigger.ts'
import type { z } from 'zod'
import type { callMatch, eventMatch, TriggerFile, txMatch, wsMatch } from './triggerSchema.ts'

/** Returns the compiled trigger; without one, it fires immediately. */
export function compileTrigger(when: TriggerFile | undefined): Trigger {
  if (when === undefined) return { type: 'immediately' }
  if ('any' in when) return { type: 'any', of: when.any.map(compileTrigger) }
  if ('all' in when) return { type: 'all', of: when.all.map(compileTrigger) }
  if ('height' in when) {
    return typeof when.height === 'number'
      ? { type: 'height', height: BigInt(when.height) }
      : { type: 'blocks', count: BigInt(when.height.slice(1)) }
  }
  if ('blocks' in when) return { type: 'blocks', count: BigInt(when.blocks) }
  if ('after' in when) return { type: 'after', ms: when.after }
  if ('time' in when) return { type: 'time', ms: when.time }
  if ('every' in when)
    return {
      type: 'every',
      ms: when.every,
      jitterMs: when.jitter ?? 0n,
      ...(when.profile === 'office-hours' && { profile: 'office-hours' }),
    }
  if ('eachBlock' in when) {
    return { type: 'eachBlock', from: BigInt(when.eachBlock.from?.slice(1) ?? 1) }
  }
  if ('signal' in when) return { type: 'signal', name: when.signal, orAfterMs: when.orAfter }
  if ('phase' in when) return { type: 'phase', name: when.phase }
  if ('step' in when) return { type: 'step', id: when.step, outcome: when.outcome }
  return compileCounted(when)
}

type CountedFile = Extract<TriggerFile, { nth?: number | undefined }>

function compileCounted(when: CountedFile): Trigger {
  if ('request' in when) {
    const { nth, ...match } = when.request
    return { type: 'counted', nth: when.nth ?? nth ?? 1, ...callCounter(match) }
  }
  const nth = when.nth ?? 1
  if ('tx' in when) return { type: 'counted', nth, ...txCounter(when.tx) }
  if ('event' in when) return { type: 'counted', nth, ...eventCounter(when.event) }
  const since = 'open' in when.ws ? when.ws.open.after : 'close' in when.ws ? when.ws.close.after : undefined
  const inner = 'subscribe' in when.ws || 'unsubscribe' in when.ws ? when.ws.nth : undefined
  return {
    type: 'counted',
    nth: inner ?? nth,
    ...(since !== undefined && { since }),
    ...wsCounter(when.ws),
  }
}

/** Returns the maximum number of firings that a trigger sets, or undefined. */
export function timesOf(when: TriggerFile | undefined): number | undefined {
  if (when === undefined) return undefined
  if ('every' in when) return when.count
  return 'eachBlock' in when ? when.eachBlock.count : undefined
}

function counter(match: Match, text: string): Counter {
  return { key: canonicalJson(match), match, text }
}

/** Returns a counter of calls. */
export function callCounter({ iface, method, params, ...rest }: z.output<typeof callMatch>): Counter {
  const match: CallMatch = {
    ...(iface !== undefined && { side: iface }),
    ...(method !== undefined && { methods: method }),
    ...(params !== undefined && { params: JSON.stringify(params) }),
    ...present(rest),
  }
  return counter({ type: 'call', ...match }, `calls of ${method?.join(', ') ?? 'any method'}`)
}

/** Returns a counter of transactions at a stage; the default stage is `accepted`. */
export function txCounter({
  stage = 'accepted',
  selector,
  nonce,
  held,
  name,
  ...rest
}: z.output<typeof txMatch>): Counter {
  const called = held ?? name
  const match: Match = {
    type: 'tx',
    stage,
    ...present(rest),
    ...(selector !== undefined && { selector: bytesOfHex(selector) }),
    ...(nonce !== undefined && { nonce: BigInt(nonce) }),
    ...(called !== undefined && { name: called }),
  }
  const which = called ?? (rest.replaces === undefined ? 'a transaction' : `a replacement of ${rest.replaces}`)
  return counter(match, `${which} to be ${stage}`)
}

/** Returns a counter of chain events. */
export function eventCounter(event: z.output<typeof eventMatch>): Counter {
  if ('comet' in event) {
    return counter({ type: 'comet', query: event.comet }, `events with ${event.comet}`)
  }
  const { contract, name, args = [] } = event.log
  const head = name === undefined ? null : hexOf(keccakOfText(name))
  const topics = [
    head,
    ...args.map((one) => (typeof one === 'number' ? `0x${one.toString(16).padStart(64, '0')}` : one)),
  ]
  const from = contract === undefined ? '' : ` of ${contract}`
  return counter({ type: 'log', ...(contract !== undefined && { contract }), topics }, `logs ${name ?? ''}${from}`)
}

/** Returns a counter of clients' connections and subscriptions. */
export function wsCounter(ws: z.output<typeof wsMatch>): Counter {
  const what = 'open' in ws ? 'open' : 'close' in ws ? 'close' : 'subscribe' in ws ? 'subscribe' : 'unsubscribe'
  const side = 'open' in ws ? ws.open.iface : 'close' in ws ? ws.close.iface : ws.iface
  const asked = 'subscribe' in ws ? ws.subscribe : 'unsubscribe' in ws ? ws.unsubscribe : undefined
  const match: Match = { type: 'ws', what, ...(side !== undefined && { side }), ...asked }
  return counter(match, `a connection to ${what}${asked === undefined ? '' : ` ${asked.queries.join(' or ')}`}`)
}

type Present<Given> = { [Name in keyof Given]: Exclude<Given[Name], undefined> }

/** Returns the object without undefined members, so that equal matches have equal keys. */
function present<Given extends object>(given: Given): Present<Given> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Present<Given>
}

/** Returns all counters of compiled triggers and expectations, without duplicates. */
export function countersIn(compiled: unknown): readonly Counter[] {
  const found = new Map<string, Counter>()
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return
    if (isCounter(value))
      found.set(value.key, {
        key: value.key,
        match: value.match,
        text: value.text,
      })
    for (const one of Object.values(value)) walk(one)
  }
  walk(compiled)
  return [...found.values()]
}

function isCounter(value: object): value is Counter {
  return 'type' in value && value.type === 'counted'
}
