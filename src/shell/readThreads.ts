/**
 * Threads for reads that need more gas than their slice on the main thread. Each thread has its own
 * engine and requests state from the main thread. A read that times out ends together with its
 * thread.
 */
import { availableParallelism } from 'node:os'
import { MessageChannel, Worker } from 'node:worker_threads'
import { thrownInFull, thrownText } from '../errors.ts'
import type { Performed } from '../node/input.ts'
import { longReadEndText, type LongRead } from '../node/longRead.ts'
import type { Settings } from '../settings/settings.ts'
import { afterWaiting } from './afterReading.ts'
import { farAnswers, sentState, type FarAnswer, type FarQuestion } from './farState.ts'
import type { ReadLine, ReadNews, ReadOrder } from './readWorker.ts'

/** `timeoutMs` starts when the execution begins, and is of time in which this process waits; 0 is no limit. */
export type ReadRequest = {
  readonly job: LongRead
  readonly settings: Settings
  readonly timeoutMs: number
  /** Returns whether a client still waits for the result; called before the read starts. */
  readonly isWanted: () => boolean
}

type Waiting = ReadRequest & { readonly done: (result: Performed) => void }

/** The maximum number of threads; one core is reserved for the main thread. */
const threadsMost = Math.max(1, Math.min(4, availableParallelism() - 1))

/** Time after which an idle thread ends. */
const idleMs = 60_000

const waiting: Waiting[] = []
const idle: Thread[] = []
let threads = 0

/** Runs a read in a thread and resolves with its result; never rejects. Reads start in order. */
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
  // The compiler and the bundler both write readWorker.js next to this file.
  const worker = new Worker(new URL('./readWorker.js', import.meta.url), { workerData, transferList: [port2] })
  let current: Current | undefined
  let cancelTimer = () => {}

  function end(result: Performed): void {
    cancelTimer()
    worker.unref()
    const ended = current
    current = undefined
    ended?.request.done(result)
  }

  /** Ends the thread and the read that it runs. */
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
    cancelTimer = afterWaiting(() => stop({ ok: false, error: 'idle' }), idleMs)
    assign()
  }

  const thread: Thread = {
    take: (request) => {
      cancelTimer()
      // A program without sockets has nothing else that keeps it alive until the result is there.
      worker.ref()
      const { work, state } = request.job
      current = { request, answer: farAnswers(state) }
      const order: ReadOrder = { work, state: sentState(state), settings: request.settings }
      try {
        worker.postMessage(order)
      } catch (error) {
        rest({ ok: false, error: thrownInFull(error), isBug: true })
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
    else if ('failed' in news) rest({ ok: false, error: news.failed, isBug: true })
    else if (request.timeoutMs > 0) cancelTimer = afterWaiting(() => stop(timedOut), request.timeoutMs)
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
