/**
 * Threads for reads that need more gas than the main thread gives them. Each has an engine of its own
 * and asks the main thread for the state that the read runs on; a read whose time is over ends with
 * its thread.
 */
import { availableParallelism } from 'node:os'
import { MessageChannel, Worker } from 'node:worker_threads'
import { thrownText } from '../errors.ts'
import type { Performed } from '../node/input.ts'
import { longReadEndText, type LongRead } from '../node/longRead.ts'
import type { Settings } from '../settings/settings.ts'
import { farAnswers, sentState, type FarAnswer, type FarQuestion } from './farState.ts'
import type { ReadLine, ReadNews, ReadOrder } from './readWorker.ts'

/** `timeoutMs` counts from when the execution begins; 0 is no limit. */
export type ReadRequest = {
  readonly job: LongRead
  readonly settings: Settings
  readonly timeoutMs: number
  /** Whether somebody still waits for the answer: asked when its turn comes. */
  readonly isWanted: () => boolean
}

type Waiting = ReadRequest & { readonly done: (result: Performed) => void }

/** One core is left to the main thread. */
const threadsMost = Math.max(1, Math.min(4, availableParallelism() - 1))

/** A thread that has had nothing to do for so long ends. */
const idleMs = 60_000

const waiting: Waiting[] = []
const idle: Thread[] = []
let threads = 0

/** Resolves with how a read ended; never rejects. Reads wait for a free thread in their order. */
export function readAside(request: ReadRequest): Promise<Performed> {
  return new Promise((done) => {
    waiting.push({ ...request, done })
    assign()
  })
}

function assign(): void {
  while (waiting.length > 0 && (idle.length > 0 || threads < threadsMost)) {
    const next = waiting.shift()
    if (next?.isWanted() === true) (idle.pop() ?? newThread()).take(next)
    else next?.done(unwanted)
  }
}

type Thread = { readonly take: (request: Waiting) => void }

type Current = { readonly request: Waiting; readonly answer: (question: FarQuestion) => FarAnswer }

function newThread(): Thread {
  threads += 1
  const { port1: port, port2 } = new MessageChannel()
  const signal = new SharedArrayBuffer(4)
  const workerData: ReadLine = { port: port2, signal }
  // Built beside this file, both by the compiler and by the bundler.
  const worker = new Worker(new URL('./readWorker.js', import.meta.url), { workerData, transferList: [port2] })
  let current: Current | undefined
  let timer: NodeJS.Timeout | undefined

  function end(result: Performed): void {
    clearTimeout(timer)
    const ended = current
    current = undefined
    ended?.request.done(result)
  }

  /** Ends the thread with what it does. */
  function stop(result: Performed): void {
    if (current === undefined && !idle.includes(thread)) return
    const at = idle.indexOf(thread)
    if (at >= 0) idle.splice(at, 1)
    threads -= 1
    port.close()
    void worker.terminate()
    end(result)
    assign()
  }

  function rest(result: Performed): void {
    end(result)
    idle.push(thread)
    timer = setTimeout(() => stop({ ok: false, error: 'idle' }), idleMs).unref()
    assign()
  }

  const thread: Thread = {
    take: (request) => {
      clearTimeout(timer)
      const { work, state } = request.job
      current = { request, answer: farAnswers(state) }
      const order: ReadOrder = { work, state: sentState(state), settings: request.settings }
      try {
        worker.postMessage(order)
      } catch (error) {
        rest({ ok: false, error: thrownText(error) })
      }
    },
  }
  worker.on('message', (news: ReadNews) => {
    if (current === undefined) return
    const { answer, request } = current
    if ('ask' in news) {
      port.postMessage(answer(news.ask))
      raise(signal)
    } else if ('end' in news) rest({ ok: true, text: news.end })
    else if ('failed' in news) rest({ ok: false, error: news.failed })
    else if (request.timeoutMs > 0) timer = setTimeout(() => stop(timedOut), request.timeoutMs).unref()
  })
  worker.on('error', (error) => stop({ ok: false, error: thrownText(error) }))
  worker.unref()
  port.unref()
  return thread
}

const unwanted: Performed = { ok: false, error: 'no client is waiting for the response' }

const timedOut: Performed = { ok: true, text: longReadEndText({ ended: 'timeout' }) }

function raise(signal: SharedArrayBuffer): void {
  const flag = new Int32Array(signal)
  Atomics.store(flag, 0, 1)
  Atomics.notify(flag, 0)
}
