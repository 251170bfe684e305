/** The latest requests of clients with their responses and durations, for the dashboard. */
import { performance } from 'node:perf_hooks'
import type { Input } from '../plan/input.ts'
import type { Output } from '../node/output.ts'
import type { Turned } from './queue.ts'
import type { Side } from '../settings/side.ts'
import { recordedMost } from './methodsIn.ts'
import { createRequestStats, type RequestStats } from './requestStats.ts'
import type { Simulation } from '../simulation/turn.ts'

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
type Open = { readonly exchange: Kept; readonly startedMs: number }

/** An exchange whose texts are truncated. */
type Kept = Omit<Exchange, 'request' | 'answer'> & {
  readonly request: ShortText
  readonly answer: ShortText | undefined
}

/**
 * A text, or the bytes of a long one, which are outside the heap. As strings, the texts of the last
 * exchanges would survive every collection of new objects: moving them took a third of a large read.
 */
type ShortText = string | Buffer

const keptMost = 500
/** The longest text that stays a string, in characters. */
const stringMost = 2 * 1024

/**
 * Returns a record of the last 500 exchanges. `changed` is called after every input and `onAnswer`
 * after every completed exchange.
 */
export function createExchanges(changed: () => void, onAnswer: (exchange: Exchange) => void = () => {}): Exchanges {
  const kept = new Map<number, Kept>()
  const open = new Map<number, Open>()
  const stats = createRequestStats(Date.now)

  function note(input: Input, outputs: readonly Output[], startedMs: number): void {
    if (input.kind === 'request') {
      const { seq } = input
      const reply = replyTo(seq, outputs)
      if (reply !== undefined) over(exchangeOf(input, reply, startedMs))
      else {
        const exchange = keptOf(exchangeOf(input, undefined, startedMs))
        open.set(seq, { exchange, startedMs })
        keep(exchange)
      }
    }
    if (open.size === 0) return
    for (const output of outputs) {
      const waiting = output.kind === 'reply' ? open.get(output.seq) : undefined
      if (waiting !== undefined && output.kind === 'reply') answered(waiting, output)
    }
  }

  function answered({ exchange, startedMs }: Open, reply: Reply): void {
    open.delete(exchange.seq)
    over({ ...shownOf(exchange), ...answerOf(reply, startedMs) })
  }

  function over(exchange: Exchange): void {
    keep(keptOf(exchange))
    stats.answered(exchange)
    onAnswer(exchange)
  }

  function keep(exchange: Kept): void {
    kept.set(exchange.seq, exchange)
    if (kept.size <= keptMost) return
    for (const oldest of kept.keys()) {
      kept.delete(oldest)
      if (open.size > 0) open.delete(oldest)
      return
    }
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
    recent: (most = keptMost) => [...kept.values()].slice(-most).map(shownOf),
    at: (seq) => {
      const found = kept.get(seq)
      return found && shownOf(found)
    },
    stats: stats.view,
    clear: () => {
      kept.clear()
      open.clear()
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

const noAnswer = { answer: undefined, status: undefined, tookMs: undefined }

function answerOf({ body, status, wire }: Reply, startedMs: number) {
  const answer = wire === undefined ? body : `(${wire.type})`
  return { answer, status, tookMs: performance.now() - startedMs }
}

function keptOf({ seq, timeMs, side, transport, target, request, answer, status, tookMs }: Exchange): Kept {
  const [asked, told] = [shortened(request), answer === undefined ? undefined : shortened(answer)]
  return { seq, timeMs, side, transport, target, request: asked, answer: told, status, tookMs }
}

function shownOf({ request, answer, ...rest }: Kept): Exchange {
  return { ...rest, request: String(request), answer: answer === undefined ? undefined : String(answer) }
}

/** Truncates a text to a copy: a substring would keep the whole text in memory. */
function shortened(text: string): ShortText {
  if (text.length <= stringMost) return text
  if (text.length <= recordedMost) return Buffer.from(text)
  return Buffer.from(`${text.slice(0, recordedMost)} … (${text.length} characters)`)
}
