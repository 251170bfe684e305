/** The latest requests of clients with their responses and durations, for the dashboard. */
import { performance } from 'node:perf_hooks'
import type { Input } from '../plan/input.ts'
import type { Output } from '../node/output.ts'
import type { Turned } from './queue.ts'
import type { Side } from '../settings/side.ts'
import { createRequestStats, type RequestStats } from './requestStats.ts'
import type { Simulation } from '../simulation/turn.ts'
import { createBytePool } from './bytePool.ts'
import { dropText, exchangeText, shownText, type ExchangeText } from './exchangeText.ts'

/** `tookMs` is wall-clock time, undefined until the response is sent. */
export type Exchange = {
  readonly seq: number
  readonly timeMs: number
  readonly side: Side
  readonly transport: 'http' | 'ws'
  readonly target: string
  readonly request: string
  readonly answer: string | undefined
  readonly status: number | undefined
  readonly tookMs: number | undefined
}

export type Exchanges = {
  /** Returns a `simulate` that records the requests and responses that pass through it. */
  readonly watching: <Result extends Turned>(simulate: Simulate<Result>) => Simulate<Result>
  /** Returns the last `most` recorded exchanges, by default all, oldest first; long texts are truncated. */
  readonly recent: (most?: number) => readonly Exchange[]
  readonly at: (seq: number) => Exchange | undefined
  /** Recent call counts and durations by method. */
  readonly stats: RequestStats['view']
  /** Deletes all exchanges; the journal of the simulation keeps its calls. */
  readonly clear: () => void
}

type Simulate<Result> = (simulation: Simulation, input: Input) => Result
type Request = Extract<Input, { kind: 'request' }>
type Reply = Extract<Output, { kind: 'reply' }>

type Answered = Pick<Exchange, 'answer' | 'status' | 'tookMs'>

/** An exchange whose texts are truncated. */
type Kept = Omit<Exchange, 'request' | 'answer'> & {
  readonly request: ExchangeText
  readonly answer: ExchangeText | undefined
}

const keptMost = 500

/**
 * Returns a record of the last 500 exchanges. `changed` is called after every input and `onAnswer`
 * after every completed exchange.
 */
export function createExchanges(changed: () => void, onAnswer: (exchange: Exchange) => void = () => {}): Exchanges {
  const stats = createRequestStats(Date.now)
  /** The exchanges without a response, with the wall-clock time at which each began. */
  const open = new Map<number, number>()
  const kept = createKept((seq) => open.delete(seq))

  function note(input: Input, outputs: readonly Output[], startedMs: number): void {
    if (input.kind === 'request') {
      const reply = replyTo(input.seq, outputs)
      const exchange = exchangeOf(input, reply, startedMs)
      kept.add(exchange)
      if (reply === undefined) open.set(input.seq, startedMs)
      else over(exchange)
    }
    if (open.size === 0) return
    for (const output of outputs) if (output.kind === 'reply') answered(output)
  }

  function answered(reply: Reply): void {
    const startedMs = open.get(reply.seq)
    if (startedMs === undefined) return
    open.delete(reply.seq)
    const answer = answerOf(reply, startedMs)
    const exchange = kept.answer(reply.seq, answer)
    if (exchange !== undefined) over({ ...exchange, ...answer })
  }

  function over(exchange: Exchange): void {
    stats.answered(exchange)
    onAnswer(exchange)
  }

  return {
    watching: (simulate) => (simulation, input) => {
      const startedMs = performance.now()
      const turned = simulate(simulation, input)
      // The input is retried when the missing facts are known.
      if (turned.wanted !== undefined) return turned
      note(input, turned.outputs, startedMs)
      changed()
      return turned
    },
    recent: kept.recent,
    at: kept.at,
    stats: stats.view,
    clear: () => {
      kept.clear()
      open.clear()
    },
  }
}

/** Keeps the last exchanges in a ring. `onDropped` is called with the number of each that is kept no longer. */
function createKept(onDropped: (seq: number) => void) {
  const ring: Kept[] = []
  let next = 0
  const pool = createBytePool()
  const textOf = (answer: string | undefined) => (answer === undefined ? undefined : exchangeText(answer, pool))
  const inOrder = (): readonly Kept[] => [...ring.slice(next), ...ring.slice(0, next)]

  function drop({ seq, request, answer }: Kept): void {
    dropText(request, pool)
    dropText(answer, pool)
    onDropped(seq)
  }

  return {
    add: ({ seq, timeMs, side, transport, target, request, answer, status, tookMs }: Exchange): void => {
      const [asked, told] = [exchangeText(request, pool), textOf(answer)]
      const oldest = ring[next]
      ring[next] = { seq, timeMs, side, transport, target, request: asked, answer: told, status, tookMs }
      next = (next + 1) % keptMost
      if (oldest !== undefined) drop(oldest)
    },
    /** Adds the response to an exchange, and returns the exchange without it. */
    answer: (seq: number, { answer, status, tookMs }: Answered): Exchange | undefined => {
      const place = ring.findIndex((one) => one.seq === seq)
      const found = ring[place]
      if (found === undefined) return undefined
      ring[place] = { ...found, answer: textOf(answer), status, tookMs }
      return shownOf(found)
    },
    at: (seq: number): Exchange | undefined => {
      const found = ring.find((one) => one.seq === seq)
      return found && shownOf(found)
    },
    recent: (most = keptMost): readonly Exchange[] => inOrder().slice(-most).map(shownOf),
    clear: () => {
      ring.length = 0
      next = 0
    },
  }
}

/** Most requests have at most one output besides the reply. */
function replyTo(seq: number, outputs: readonly Output[]): Reply | undefined {
  for (const output of outputs) if (output.kind === 'reply' && output.seq === seq) return output
  return undefined
}

function exchangeOf(input: Request, reply: Reply | undefined, startedMs: number): Exchange {
  const { seq, timeMs, side, transport, target, verb, body } = input
  const request = body === '' ? `${verb} ${target}` : body
  const { answer, status, tookMs } = reply === undefined ? noAnswer : answerOf(reply, startedMs)
  return { seq, timeMs: Number(timeMs), side, transport, target, request, answer, status, tookMs }
}

const noAnswer: Answered = { answer: undefined, status: undefined, tookMs: undefined }

function answerOf({ body, status, wire }: Reply, startedMs: number): Answered {
  const answer = wire === undefined ? body : `(${wire.type})`
  return { answer, status, tookMs: performance.now() - startedMs }
}

function shownOf({ request, answer, ...rest }: Kept): Exchange {
  return { ...rest, request: shownText(request), answer: answer === undefined ? undefined : shownText(answer) }
}
