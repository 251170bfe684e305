/** Whether an expectation holds, and why it does not. */
import { unreachable } from '../errors.ts'
import type { Expected, TxStatus, Wanted } from '../node/planExpectation.ts'
import type { Asked } from '../node/asked.ts'
import type { CallMatch } from '../node/planTrigger.ts'
import type { CallRecord } from '../rpc/callRecord.ts'
import type { RpcAnswer } from './facts.ts'
import { coversVerdict } from './coversVerdict.ts'
import { partsOfPath, valueIn } from './jsonPath.ts'
import { paceVerdict } from './paceVerdict.ts'
import { quantityText } from './quantityText.ts'
import { countSince, type Mark, type Moment, type Tallies } from './watch.ts'

/** Whose balance, and of what. */
export type BalanceAsked = Pick<Extract<Expected, { type: 'balance' }>, 'who' | 'denom' | 'token'>

/** Who draws, and how often that was before. */
export type Drawer = { readonly id: string; readonly index: number }

/** What an expectation may look at. `rpc` calls as a client would, without faults. */
export type Seen = {
  readonly now: Moment
  readonly balanceOf: (asked: BalanceAsked) => bigint
  readonly faultApplied: (name: string) => number
  readonly rpc: (asked: Asked) => RpcAnswer
  /** What was asked once; undefined until its answer is there. */
  readonly answered: (key: string) => RpcAnswer | undefined
  /** How busy people are at the time of the last block, of 100. */
  readonly busy: () => number
  /** Whether a late condition is true, or why it has no value. */
  readonly conditionIs: (condition: string, by?: Drawer) => boolean | { readonly bad: string }
  /** A JSON text with its late expressions worked out. */
  readonly filled: (json: string) => string
  readonly txStatus: (which: string) => TxStatus
  readonly phase: string
  readonly digest: () => string
  readonly tallies: Tallies
  /** What was counted when a step began; nothing before the scenario did. */
  /** What was nearly counted by a counter, as the end of a sentence. */
  readonly nearOf: (key: string) => string
  readonly markOf: (step: string | undefined) => Mark
  /** The last calls of clients that match, oldest first. */
  readonly calls: (match: CallMatch) => readonly CallRecord[]
}

/** Returns why an expectation does not hold now, or undefined when it does. */
export function verdict(one: Expected, seen: Seen): string | undefined {
  switch (one.type) {
    case 'height': return range('height', seen.now.height, one)
    case 'balance': return range(nameOf(one), seen.balanceOf(one), one)
    case 'faultApplied':
      return range(`fault "${one.name}" applied`, seen.faultApplied(one.name), one)
    case 'counted': {
      const count = countSince(seen.tallies, seen.markOf(one.since).tallies, one.key)
      const text = range(one.text, count, one)
      return text === undefined || count > one.min ? text : `${text}${seen.nearOf(one.key)}`
    }
    case 'pace': {
      const from = seen.markOf(one.since).at.timeMs
      return paceVerdict(one, seen.calls(one.match).filter(({ timeMs }) => timeMs >= from))
    }
    case 'covers': {
      const from = seen.markOf(one.since).at.timeMs
      const calls = seen.calls(one.match).filter(({ timeMs }) => timeMs >= from)
      return coversVerdict(one, { calls, height: seen.now.height, filled: seen.filled })
    }
    case 'rpc': return rpcVerdict(one, seen)
    case 'tx': {
      const status = seen.txStatus(one.which)
      return isStatus(status, one.status)
        ? undefined : `transaction ${one.which}: expected ${one.status}, was ${status}`
    }
    case 'phase': return seen.phase === one.name
      ? undefined
      : `phase: expected "${one.name}", was "${seen.phase}"`
    case 'digest': {
      const digest = seen.digest()
      return digest === one.hex
        ? undefined : `digest of the chain: expected ${one.hex}, was ${digest}`
    }
    case 'never': return verdict(one.of, seen) === undefined
      ? `${nameOf(one.of)} held and never should`
      : undefined
    case 'any': {
      const texts = one.of.map((each) => verdict(each, seen))
      return texts.includes(undefined) ? undefined : `none of: ${texts.join('; ')}`
    }
    case 'all': {
      const texts = one.of.flatMap((each) => verdict(each, seen) ?? [])
      return texts.length === 0 ? undefined : texts.join('; ')
    }
    default: return unreachable(one)
  }
}

/** Returns what an expectation is about, for reports. */
function nameOf(one: Expected): string {
  switch (one.type) {
    case 'height':
    case 'phase':
    case 'digest': return one.type
    case 'balance': {
      const { who, denom, token } = one
      return `balance of ${who}${denom === undefined && token === undefined ? '' : ` in ${denom ?? token}`}`
    }
    case 'faultApplied': return `fault "${one.name}" applied`
    case 'counted':
    case 'pace':
    case 'covers': return one.text
    case 'rpc': return `${one.method} ${one.path || 'result'}`
    case 'tx': return `transaction ${one.which} ${one.status}`
    case 'never': return `never ${nameOf(one.of)}`
    case 'any': return one.of.map(nameOf).join(' or ')
    case 'all': return one.of.map(nameOf).join(' and ')
  }
}

/** What is in a block, well or not, is included; what is held is pending too. */
function isStatus(status: TxStatus, wanted: TxStatus): boolean {
  if (wanted === 'included') return status === 'success' || status === 'failed'
  return wanted === status || (wanted === 'pending' && status === 'held')
}

function rpcVerdict(
  { side, method, params, path, wanted, once }: Extract<Expected, { type: 'rpc' }>, seen: Seen,
): string | undefined {
  const answer = once === undefined ? seen.rpc({ side, method, params }) : seen.answered(once)
  if (answer === undefined) return `${method}: was not answered yet`
  const { isError, text } = answer
  const what = `${method} ${path || 'result'}`
  if (wanted.is === 'error') return errorVerdict(method, wanted, { isError, text })
  const value = textAt(text, path)
  switch (wanted.is) {
    case 'equal': {
      const expected = seen.filled(wanted.value)
      // What an expression gives may be a number where the interface writes a text.
      const isSame = value === expected || (
        expected !== wanted.value && plain(value) === plain(expected)
      )
      return isSame ? undefined : `${what}: expected ${expected}, received ${value}`
    }
    case 'different':
      return value === wanted.value ? `${what}: expected anything but ${value}` : undefined
    case 'matching': return new RegExp(wanted.pattern).test(plain(value))
      ? undefined
      : `${what}: expected to match ${wanted.pattern}, received ${value}`
    case 'between': {
      const number = quantityText(value)
      return number === undefined
        ? `${what}: expected an integer, received ${value}` : range(what, number, wanted)
    }
  }
}

function errorVerdict(
  method: string,
  { code, includes, pattern }: Extract<Wanted, { is: 'error' }>,
  { isError, text }: RpcAnswer,
): string | undefined {
  if (!isError) return `${method}: expected an error, received ${text.slice(0, 200)}`
  const isCode = code === undefined || textAt(text, 'code') === String(code)
  const isText = text.includes(includes ?? '') && new RegExp(pattern ?? '').test(
    plain(textAt(text, 'data')),
  )
  const wish = includes ?? pattern
  return isCode && isText ? undefined
    : `${method}: expected an error${code === undefined ? '' : ` ${code}`}${wish === undefined ? '' : ` with "${wish}"`}, received ${text.slice(0, 200)}`
}

type Range = {
  readonly min: bigint | number | undefined; readonly max: bigint | number | undefined,
}

function range(what: string, value: bigint | number, { min, max }: Range): string | undefined {
  if (min !== undefined && value < min) return `${what}: expected at least ${min}, was ${value}`
  if (max !== undefined && value > max) return `${what}: expected at most ${max}, was ${value}`
  return undefined
}

const plain = (json: string) => (json.startsWith('"') ? String(JSON.parse(json)) : json)

/**
 * Returns the JSON text at a path of a JSON text, `a.0.b` or `$.a[0].b`; `absent` where there is
 * none.
 */
export function textAt(text: string, path: string): string {
  const value = valueIn(JSON.parse(text), partsOfPath(path))
  return value === undefined ? 'absent' : JSON.stringify(value)
}
