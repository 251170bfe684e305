import type { Expectation, Expected, WantedAnswer } from '../plan/expectation.ts'
import type { CallMatch, Counter } from '../plan/trigger.ts'
import { spanOf } from './span.ts'
import { callCounter, eventCounter, txCounter, wsCounter } from './compileTrigger.ts'
import { oneTxOf, type ExpectationFile } from './expectationSchema.ts'

/** The position of an expectation: the id of its step, and file and line. */
export type Standing = { readonly step: string; readonly source: string }

/** Returns the compiled expectation. */
export function compileExpectation(one: ExpectationFile, { step, source }: Standing): Expectation {
  const within = 'within' in one ? spanOf(one.within) : undefined
  return { within, source, ...expectedOf(one, step) }
}

function expectedOf(one: ExpectationFile, step: string): Expected {
  if ('never' in one) {
    return {
      type: 'never',
      of: expectedOf(one.never, step),
      span: spanOf(one.for) ?? { ms: 0n, blocks: undefined },
    }
  }
  if ('any' in one && one.any !== undefined) {
    return { type: 'any', of: one.any.map((each) => expectedOf(each, step)) }
  }
  if ('all' in one && one.all !== undefined) {
    return { type: 'all', of: one.all.map((each) => expectedOf(each, step)) }
  }
  return simpleOf(one as SimpleFile, step)
}

type SimpleFile = Exclude<ExpectationFile, { never: unknown } | { any?: unknown }>

function simpleOf(one: SimpleFile, step: string): Expected {
  if ('height' in one) {
    const { min, max, gte, lte } =
      typeof one.height === 'number' ? { min: one.height, max: one.height } : (one.height as Heights)
    return { type: 'height', min: bigintOf(min ?? gte), max: bigintOf(max ?? lte) }
  }
  if ('balance' in one) {
    const { address, denom, token, ...bounds } = one.balance
    const [min, max] = [worthOf(bounds.equals ?? bounds.min), worthOf(bounds.equals ?? bounds.max)]
    const where = { ...(denom !== undefined && { denom }), ...(token !== undefined && { token }) }
    return { type: 'balance', who: address, ...where, min, max }
  }
  if ('fault' in one) return { type: 'faultApplied', name: one.fault, ...boundsOf(one.applied) }
  if ('phase' in one) return { type: 'phase', name: one.phase }
  if ('digest' in one) return { type: 'digest', hex: one.digest }
  if ('rpc' in one) return rpcOf(one, step)
  if ('calls' in one) return callsOf(one, step)
  if ('given' in one) return givenOf(one)
  const counting = { count: one.count, since: one.since ?? step }
  if ('event' in one) return countedOf(eventCounter(one.event), counting)
  if ('ws' in one) return wsOf(one.ws, counting)
  const which = oneTxOf(one)
  if (which !== undefined) return { type: 'tx', which, status: one.status ?? 'included' }
  return countedOf(txCounter(one.tx as Exclude<typeof one.tx, string>), counting)
}

/**
 * Counts from the step `since`, by default from the beginning of the run; `more` counts from the
 * beginning of this step.
 */
function callsOf(
  { calls, count, more, since, spacing, rate }: Extract<SimpleFile, { calls: unknown }>,
  step: string,
): Expected {
  const { covers, ...matched } = calls
  const counter = callCounter(matched)
  if (more !== undefined) return countedOf(counter, { count: { min: more }, since: since ?? step })
  const { match, text } = counter
  const common = { type: 'pace', match: match as CallMatch, text, since } as const
  if (covers !== undefined) {
    const [from, to] = [JSON.stringify(covers.fromBlock), JSON.stringify(covers.toBlock)]
    const covered = { type: 'covers', match: match as CallMatch, text, since, from, to } as const
    return count === undefined ? covered : { type: 'all', of: [countedOf(counter, { count, since }), covered] }
  }
  if (spacing !== undefined) {
    const apartMs = spacing.min - (spacing.tolerance ?? 0n)
    return { ...common, by: spacing.by ?? 'client+request', limit: { apartMs } }
  }
  if (rate !== undefined) {
    return { ...common, by: rate.by ?? 'all', limit: { most: rate.max, perMs: rate.per } }
  }
  return countedOf(counter, { count, since })
}

/** Counts from the beginning of the run by default, as for calls. */
function givenOf({ given, count, since }: Extract<SimpleFile, { given: unknown }>): Expected {
  const { result, error, status, nothing, ...matched } = given
  const { match, text } = callCounter(matched)
  const wanted =
    nothing !== undefined
      ? ({ is: 'nothing' } as const)
      : status !== undefined
        ? ({ is: 'status', status } as const)
        : wantedOf({ ...result, equals: result?.eq, differs: result?.ne, error })
  const bounds = boundsOf(count ?? { min: 1 })
  return { type: 'given', match: match as CallMatch, text, since, path: result?.path ?? '', wanted, ...bounds }
}

type WsFile = Extract<SimpleFile, { ws: unknown }>['ws']

function wsOf(ws: WsFile, counting: Counting): Expected {
  if ('reopened' in ws || 'reconnected' in ws) {
    return countedOf(wsCounter({ open: { iface: undefined, after: undefined } }), counting)
  }
  if (!('resubscribed' in ws)) return countedOf(wsCounter(ws), counting)
  return {
    type: 'all',
    of: ws.resubscribed.map((query) => countedOf(wsCounter({ subscribe: { queries: [query] } }), counting)),
  }
}

/**
 * Returns the amount in smallest units; `fixtures/balanceUnits.ts` has already converted token
 * units.
 */
function worthOf(value: bigint | string | undefined): bigint | undefined {
  return typeof value === 'string' ? undefined : value
}

type Heights = { readonly [Name in 'min' | 'max' | 'gte' | 'lte']?: number | undefined }
type Count =
  | number
  | {
      readonly min?: number | undefined
      readonly max?: number | undefined
    }
  | undefined
type Counting = { readonly count: Count; readonly since: string | undefined }

function countedOf(counter: Counter, { count, since }: Counting): Expected {
  return { type: 'counted', ...counter, ...boundsOf(count ?? { min: 1 }), since }
}

/** Returns the bounds of a count; a plain number means exactly that many. */
function boundsOf(count: NonNullable<Count>): { min: number; max: number | undefined } {
  return typeof count === 'number' ? { min: count, max: count } : { min: count.min ?? 0, max: count.max }
}

const sends = /^(?:broadcast_tx_|eth_send)|\.Service\/BroadcastTx$|^POST \/cosmos\/tx\/v1beta1\/txs$/

function rpcOf(one: Extract<SimpleFile, { rpc: unknown }>, step: string): Expected {
  const { iface, method } = one.rpc
  const params = JSON.stringify(one.rpc.params ?? [])
  return {
    type: 'rpc',
    side: iface,
    method,
    params,
    path: one.path ?? one.result?.path ?? '',
    ...(sends.test(method) && { once: `${step} ${method} ${params}` }),
    wanted: wantedOf(
      one.result === undefined
        ? one
        : {
            ...one.result,
            equals: one.result.eq,
            differs: one.result.ne,
          },
    ),
  }
}

type Wish = Pick<Extract<SimpleFile, { rpc: unknown }>, 'equals' | 'differs' | 'matches' | 'error' | 'min' | 'max'>

function wantedOf({ equals, differs, matches, error, min, max }: Wish): WantedAnswer {
  if (error !== undefined)
    return {
      is: 'error',
      code: error.code,
      includes: error.includes,
      pattern: error.dataMatches,
    }
  if (matches !== undefined) return { is: 'matching', pattern: matches }
  if (min !== undefined || max !== undefined) return { is: 'between', min, max }
  return differs === undefined
    ? { is: 'equal', value: JSON.stringify(equals) }
    : {
        is: 'different',
        value: JSON.stringify(differs),
      }
}

function bigintOf(value: number | undefined): bigint | undefined {
  return value === undefined ? undefined : BigInt(value)
}
