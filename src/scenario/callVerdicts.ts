/** Verdicts on responses, and on the calls of clients: their results, their ranges of blocks and their pace. */
import { remembered } from '../data/remembered.ts'
import type { Expected, WantedAnswer } from '../plan/expectation.ts'
import type { RpcAnswer } from './facts.ts'
import { partsOfPath, valueIn } from './jsonPath.ts'
import type { CallRecord } from '../rpc/callRecord.ts'

/** The wanted value at a path of the response; `filled` evaluates late expressions. */
export type AnswerWanted = {
  readonly method: string
  readonly path: string
  readonly wanted: WantedAnswer
  readonly filled: (json: string) => string
}

/** Returns why a response is not the wanted one, or undefined if it is. */
export function answerVerdict(
  { method, path, wanted, filled }: AnswerWanted,
  { isError, text }: RpcAnswer,
): string | undefined {
  const what = `${method} ${path || 'result'}`
  if (wanted.is === 'error') return errorVerdict(method, wanted, { isError, text })
  const value = textAt(text, path)
  switch (wanted.is) {
    case 'equal':
    case 'different': {
      const expected = filled(wanted.value)
      // An expression may give a number where the interface returns a string.
      const isSame = value === expected || (expected !== wanted.value && plain(value) === plain(expected))
      if (isSame === (wanted.is === 'equal')) return undefined
      return isSame ? `${what}: expected anything but ${value}` : `${what}: expected ${expected}, received ${value}`
    }
    case 'matching':
      return new RegExp(wanted.pattern).test(plain(value))
        ? undefined
        : `${what}: expected to match ${wanted.pattern}, received ${value}`
    case 'between': {
      const number = quantityText(value)
      return number === undefined ? `${what}: expected an integer, received ${value}` : range(what, number, wanted)
    }
  }
}

function errorVerdict(
  method: string,
  { code, includes, pattern }: Extract<WantedAnswer, { is: 'error' }>,
  { isError, text }: RpcAnswer,
): string | undefined {
  if (!isError) return `${method}: expected an error, received ${text.slice(0, 200)}`
  const isCode = code === undefined || textAt(text, 'code') === String(code)
  const isText = text.includes(includes ?? '') && new RegExp(pattern ?? '').test(plain(textAt(text, 'data')))
  const wish = includes ?? pattern
  return isCode && isText
    ? undefined
    : `${method}: expected an error${code === undefined ? '' : ` ${code}`}${wish === undefined ? '' : ` with "${wish}"`}, received ${text.slice(0, 200)}`
}

type Range = {
  readonly min: bigint | number | undefined
  readonly max: bigint | number | undefined
}

/**
 * Returns why a number is out of range, as a sentence that starts with `what`; undefined if it is
 * in range.
 */
export function range(what: string, value: bigint | number, { min, max }: Range): string | undefined {
  const isExact = min !== undefined && max !== undefined && min === max
  if (isExact && (value < min || value > max)) return `${what}: expected ${min}, was ${value}`
  if (min !== undefined && value < min) return `${what}: expected at least ${min}, was ${value}`
  if (max !== undefined && value > max) return `${what}: expected at most ${max}, was ${value}`
  return undefined
}

const plain = (json: string) => (json.startsWith('"') ? String(JSON.parse(json)) : json)

/**
 * Returns the JSON text at a path such as `a.0.b` or `$.a[0].b`, or `absent` if there is nothing.
 */
function textAt(text: string, path: string): string {
  const value = valueIn(JSON.parse(text), partsOfPath(path))
  return value === undefined ? 'absent' : JSON.stringify(value)
}

type GivenExpected = Extract<Expected, { type: 'given' }>

/** The matching calls, oldest first, and a function that evaluates late expressions. */
export type GivenSeen = {
  readonly calls: readonly CallRecord[]
  readonly filled: (json: string) => string
}

/**
 * Returns why too few or too many calls got the wanted response; undefined if the number is right.
 */
export function givenVerdict(one: GivenExpected, { calls, filled }: GivenSeen): string | undefined {
  const isFixed = !('value' in one.wanted) || filled(one.wanted.value) === one.wanted.value
  const fitting = calls.filter(isFixed ? fits(one) : (call) => isGiven(one, call, filled)).length
  const text = range(`${one.text} answered with ${wish(one)}`, fitting, one)
  const last = calls.at(-1)
  return text === undefined || last === undefined ? text : `${text}; the last call was answered with ${told(last)}`
}

/** Judges a call once: an expectation that waits looks at thousands of calls at each input. */
const fits = remembered((one: GivenExpected) => remembered((call: CallRecord) => isGiven(one, call, (json) => json)))

function isGiven({ path, wanted }: GivenExpected, { method, given }: CallRecord, filled: GivenSeen['filled']): boolean {
  if (wanted.is === 'nothing') return given.is === 'nothing'
  if (wanted.is === 'status') return given.is === 'status' && given.status === wanted.status
  if (given.is !== (wanted.is === 'error' ? 'error' : 'result') || given.text === undefined) return false
  return (
    answerVerdict({ method, path, wanted, filled }, { isError: given.is === 'error', text: given.text }) === undefined
  )
}

function wish({ path, wanted }: GivenExpected): string {
  switch (wanted.is) {
    case 'nothing':
      return 'nothing'
    case 'status':
      return `the HTTP status ${wanted.status}`
    case 'error': {
      const { code, includes, pattern } = wanted
      return ['an error', code, includes ?? pattern].filter((part) => part !== undefined).join(' ')
    }
    case 'equal':
      return `${path || 'the result'} ${wanted.value}`
    case 'different':
      return `${path || 'the result'} other than ${wanted.value}`
    case 'matching':
      return `${path || 'the result'} matching ${wanted.pattern}`
    case 'between':
      return `${path || 'the result'} from ${wanted.min ?? 'any'} to ${wanted.max ?? 'any'}`
  }
}

function told({ given }: CallRecord): string {
  if (given.is === 'nothing') return 'nothing'
  if (given.is === 'status') return `the HTTP status ${given.status}`
  const article = given.is === 'error' ? 'the error' : 'the result'
  return given.text === undefined
    ? `a ${given.is} that is too long to compare`
    : `${article} ${given.text.slice(0, 200)}`
}

type Covers = Extract<Expected, { type: 'covers' }>

/** The calls, the chain's height and blocks, and a function that evaluates late expressions. */
export type CoversSeen = {
  readonly calls: readonly CallRecord[]
  readonly height: bigint
  readonly heightOf: (blockHash: string) => bigint | undefined
  readonly filled: (json: string) => string
}

/**
 * Returns a sentence with the first block of the range that no call queried (`eth_getLogs` and
 * filters: `fromBlock` to `toBlock`, or the block with `blockHash`); undefined if all blocks were
 * queried.
 */
export function coversVerdict({ text, from, to }: Covers, seen: CoversSeen): string | undefined {
  const { calls, filled } = seen
  const [first, last] = [quantityText(filled(from)), quantityText(filled(to))]
  if (first === undefined || last === undefined) {
    return `${text}: ${filled(from)} to ${filled(to)} are not valid heights`
  }
  const ranges = calls.flatMap((call) => rangeOf(call, seen) ?? []).toSorted((a, b) => (a.from < b.from ? -1 : 1))
  let next = first
  for (const range of ranges) if (range.from <= next && range.to >= next) next = range.to + 1n
  if (next > last) return undefined
  return `${text}: expected blocks ${first} to ${last}, block ${next} is missing in ${calls.length} calls`
}

function rangeOf(call: CallRecord, seen: CoversSeen): { readonly from: bigint; readonly to: bigint } | undefined {
  const filter = filterOf(call)
  if (filter === undefined) return undefined
  const { fromBlock, toBlock, blockHash } = filter
  if (blockHash !== undefined && blockHash !== null) {
    const only = typeof blockHash === 'string' ? seen.heightOf(blockHash) : undefined
    return only === undefined ? undefined : { from: only, to: only }
  }
  const height = call.height ?? seen.height
  return { from: blockOf(fromBlock, height), to: blockOf(toBlock, height) }
}

type BlockFilter = { readonly fromBlock?: unknown; readonly toBlock?: unknown; readonly blockHash?: unknown }

/** Returns the filter of a call, which is read once, or undefined if its parameters are no list. */
const filterOf = remembered(({ params }: CallRecord): BlockFilter | undefined => {
  try {
    const [filter] = JSON.parse(params) as readonly (BlockFilter | null)[]
    return filter ?? {}
  } catch {
    return undefined
  }
})

/**
 * Returns the height of a block parameter. An absent value or a tag other than `earliest` means the
 * latest block at the time of the call, `height`.
 */
function blockOf(value: unknown, height: bigint): bigint {
  return quantityText(JSON.stringify(value ?? 'latest')) ?? (value === 'earliest' ? 0n : height)
}

type Pace = Extract<Expected, { type: 'pace' }>

/** Returns the first violation of a pace limit by calls, or undefined if there is none. */
export function paceVerdict({ text, by, limit }: Pace, calls: readonly CallRecord[]): string | undefined {
  const groups = new Map<string, bigint[]>()
  for (const call of calls) {
    const key = groupOf(by, call)
    const times = groups.get(key) ?? []
    times.push(call.timeMs)
    groups.set(key, times)
  }
  for (const times of groups.values()) {
    const reason = 'apartMs' in limit ? tooClose(times, limit.apartMs) : tooMany(times, limit)
    if (reason !== undefined) return `${text}: ${reason}`
  }
  return undefined
}

function groupOf(by: Pace['by'], { session, side, method, params }: CallRecord): string {
  if (by === 'all') return ''
  return by === 'session' ? session : [session, side, method, params].join('\n')
}

function tooClose(times: readonly bigint[], apartMs: bigint): string | undefined {
  for (const [index, time] of times.entries()) {
    const before = times[index - 1]
    if (before === undefined || time - before >= apartMs) continue
    return `expected at least ${apartMs} ms between two calls, was ${time - before} ms at ${time} ms`
  }
  return undefined
}

function tooMany(times: readonly bigint[], { most, perMs }: { most: number; perMs: bigint }): string | undefined {
  let end = 0
  for (const [index, time] of times.entries()) {
    while ((times[end] ?? time + perMs) < time + perMs) end += 1
    const until = end - index
    if (until > most) {
      return `expected at most ${most} calls in any ${perMs} ms, was ${until} from ${time} ms on`
    }
  }
  return undefined
}

/**
 * Returns the integer of a JSON text: a number or a string, decimal or 0x. Returns undefined for
 * anything else.
 */
function quantityText(json: string): bigint | undefined {
  const text = json.startsWith('"') ? String(JSON.parse(json)) : json
  return /^(-?\d+|0x[0-9a-fA-F]+)$/.test(text) ? BigInt(text) : undefined
}
