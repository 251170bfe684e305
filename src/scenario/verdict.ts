/** Checks expectations and explains failures. */
import type { Side } from '../settings/side.ts'
import { unreachable } from '../errors.ts'
import type { Expected, TxStatus } from '../plan/expectation.ts'
import type { CallMatch } from '../plan/trigger.ts'
import type { CallRecord } from '../rpc/callRecord.ts'
import type { RpcAnswer } from './facts.ts'
import { answerVerdict, coversVerdict, givenVerdict, paceVerdict, range } from './callVerdicts.ts'
import { type Mark, type Moment, type Tallies, countSince } from './span.ts'

/** A call that the scenario itself makes; `params` is JSON text. */
export type ScenarioCall = { readonly side: Side; readonly method: string; readonly params: string }

/** The account and denom or token of a balance. */
export type BalanceAsked = Pick<Extract<Expected, { type: 'balance' }>, 'who' | 'denom' | 'token'>

/** The step or rule that draws, and its repetition. */
export type Drawer = { readonly id: string; readonly index: number }

/** Calls that an expectation judges. `isWhole` is false if earlier ones are no longer held. */
type JudgedCalls = { readonly calls: readonly CallRecord[]; readonly isWhole: boolean }

/** The input of expectations. `rpc` makes a call like a client, without faults. */
export type Seen = {
  readonly now: Moment
  readonly balanceOf: (asked: BalanceAsked) => bigint
  /** Returns the height of the block with an Ethereum block hash, or undefined if there is none. */
  readonly heightOf: (blockHash: string) => bigint | undefined
  readonly faultApplied: (name: string) => number
  readonly rpc: (asked: ScenarioCall) => RpcAnswer
  /** Returns the response to a call that is made once; undefined until it arrives. */
  readonly answered: (key: string) => RpcAnswer | undefined
  /** Returns the activity at the time of the last block, as a percentage. */
  readonly busy: () => number
  /** Returns whether a late condition is true, or why it has no value. */
  readonly conditionIs: (condition: string, by?: Drawer) => boolean | { readonly bad: string }
  /** Returns a JSON text with its late expressions evaluated. */
  readonly filled: (json: string) => string
  readonly txStatus: (which: string) => TxStatus
  readonly phase: string
  readonly digest: () => string
  readonly tallies: Tallies
  /** Returns the near miss of a counter, as the end of a sentence. */
  readonly nearOf: (key: string) => string
  /** Returns the tallies at the start of a step; without one, those at the start of the run. */
  readonly markOf: (step: string | undefined) => Mark
  /** Returns the matching calls of clients since a time, oldest first; if there are too many, the latest. */
  readonly calls: (match: CallMatch, fromMs: bigint) => JudgedCalls
}

/** Returns why an expectation does not hold now, or undefined if it does. */
export function verdict(one: Expected, seen: Seen): string | undefined {
  switch (one.type) {
    case 'height':
      return range('height', seen.now.height, one)
    case 'balance':
      return range(nameOf(one), seen.balanceOf(one), one)
    case 'faultApplied':
      return range(`fault "${one.name}" applied`, seen.faultApplied(one.name), one)
    case 'counted': {
      const count = countSince(seen.tallies, seen.markOf(one.since).tallies, one.key)
      const text = range(one.text, count, one)
      return text === undefined || count > one.min ? text : `${text}${seen.nearOf(one.key)}`
    }
    case 'pace':
    case 'covers':
    case 'given':
      return callsVerdict(one, seen)
    case 'rpc':
      return rpcVerdict(one, seen)
    case 'tx': {
      const status = seen.txStatus(one.which)
      return isStatus(status, one.status)
        ? undefined
        : `transaction ${one.which}: expected ${one.status}, was ${status}`
    }
    case 'phase':
      return seen.phase === one.name ? undefined : `phase: expected "${one.name}", was "${seen.phase}"`
    case 'digest': {
      const digest = seen.digest()
      return digest === one.hex ? undefined : `digest of the chain: expected ${one.hex}, was ${digest}`
    }
    case 'never':
      return verdict(one.of, seen) === undefined ? `${nameOf(one.of)} held, but should never hold` : undefined
    case 'any': {
      const texts = one.of.map((each) => verdict(each, seen))
      return texts.includes(undefined) ? undefined : `none of these held: ${texts.join('; ')}`
    }
    case 'all': {
      const texts = one.of.flatMap((each) => verdict(each, seen) ?? [])
      return texts.length === 0 ? undefined : texts.join('; ')
    }
    default:
      return unreachable(one)
  }
}

type OfCalls = Extract<Expected, { type: 'pace' | 'covers' | 'given' }>

function callsVerdict(one: OfCalls, seen: Seen): string | undefined {
  const { calls, isWhole } = seen.calls(one.match, seen.markOf(one.since).at.timeMs)
  const text = verdictOn(one, calls, seen)
  // More calls do not change that enough calls came, or that they cover a range.
  const isSure = text === undefined && (one.type === 'covers' || (one.type === 'given' && one.max === undefined))
  if (isWhole || isSure) return text
  return `${text ?? one.text}; only the latest of these calls are known: count from a later step with since`
}

function verdictOn(one: OfCalls, calls: readonly CallRecord[], { now, heightOf, filled }: Seen): string | undefined {
  if (one.type === 'pace') return paceVerdict(one, calls)
  if (one.type === 'covers') return coversVerdict(one, { calls, height: now.height, heightOf, filled })
  return givenVerdict(one, { calls, filled })
}

/** Returns the name of an expectation, for reports. */
function nameOf(one: Expected): string {
  switch (one.type) {
    case 'height':
    case 'phase':
    case 'digest':
      return one.type
    case 'balance': {
      const { who, denom, token } = one
      return `balance of ${who}${denom === undefined && token === undefined ? '' : ` in ${denom ?? token}`}`
    }
    case 'faultApplied':
      return `fault "${one.name}" applied`
    case 'counted':
    case 'pace':
    case 'covers':
    case 'given':
      return one.text
    case 'rpc':
      return `${one.method} ${one.path || 'result'}`
    case 'tx':
      return `transaction ${one.which} ${one.status}`
    case 'never':
      return `never ${nameOf(one.of)}`
    case 'any':
      return one.of.map(nameOf).join(' or ')
    case 'all':
      return one.of.map(nameOf).join(' and ')
  }
}

/**
 * Returns whether a status satisfies the wanted one. `included` means success or failure; `held`
 * also counts as `pending`.
 */
function isStatus(status: TxStatus, wanted: TxStatus): boolean {
  if (wanted === 'included') return status === 'success' || status === 'failed'
  return wanted === status || (wanted === 'pending' && status === 'held')
}

function rpcVerdict(one: Extract<Expected, { type: 'rpc' }>, seen: Seen): string | undefined {
  const { side, method, params, once } = one
  const answer = once === undefined ? seen.rpc({ side, method, params }) : seen.answered(once)
  if (answer === undefined) return `${method}: not answered yet`
  return answerVerdict({ ...one, filled: seen.filled }, answer)
}
