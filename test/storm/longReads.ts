/**
 * The threads of long reads in a storm: each execution ends when a step says so, with its value, its
 * time over, or its thread lost.
 */
import { MessageChannel } from 'node:worker_threads'
import type { EthereumView } from '../../src/app/ethereumView.ts'
import type { AppState } from '../../src/app/state.ts'
import { endOfLongRead, longReadEndText, type LongRead } from '../../src/node/longRead.ts'
import type { Performed } from '../../src/node/input.ts'
import { wokenByPerformed } from '../../src/node/owed.ts'
import { farAnswers, farState, sentState } from '../../src/shell/farState.ts'
import { performOwed } from '../../src/shell/perform.ts'

/** `steps` counts down to the end of the read. */
export type ReadEnd = { readonly steps: number; readonly how: 'value' | 'timeout' | 'lost' }

export type ReadThreads = {
  /** How the reads that begin from now on end. */
  readonly plan: (end: ReadEnd) => void
  /** A step is over: ends the reads whose time has come, or all of them. */
  readonly step: (all?: boolean) => void
  readonly perform: typeof performOwed
}

type Away = {
  left: number
  readonly how: ReadEnd['how']
  /** What the thread is given. */
  readonly job: () => LongRead
  readonly done: (end: Performed) => void
}

/** Returns threads whose engine is that of `view`; `seen` may replace what a thread is given. */
export function createReadThreads(view: EthereumView, seen: (job: LongRead, now: AppState) => LongRead): ReadThreads {
  let end: ReadEnd = { steps: 0, how: 'value' }
  let away: Away[] = []
  return {
    plan: (next) => {
      end = next
    },
    step: (all = false) => {
      const before = away
      for (const one of before) one.left -= 1
      away = all ? [] : before.filter(({ left }) => left >= 0)
      for (const one of before) if (!away.includes(one)) one.done(resultOf(view, one))
    },
    perform: (nodeNow, asked, home) => {
      const job = wokenByPerformed(nodeNow(), asked.id)?.read?.job
      if (asked.task.type !== 'read' || job === undefined) return performOwed(nodeNow, asked, home)
      return new Promise((done) => {
        away.push({ left: end.steps, how: end.how, job: () => seen(job, nodeNow().chain.app), done })
      })
    },
  }
}

function resultOf(view: EthereumView, { job: given, how }: Away): Performed {
  if (how === 'lost') return { ok: false, error: 'the thread has ended' }
  if (how === 'timeout') return { ok: true, text: longReadEndText({ ended: 'timeout' }) }
  const job = given()
  const { state, close } = overLine(job.state)
  try {
    return { ok: true, text: longReadEndText(endOfLongRead(view, { work: structuredClone(job.work), state })) }
  } finally {
    close()
  }
}

/** Returns the state as a thread reads it: what is sent at first, and answers over a line. */
function overLine(state: AppState): { readonly state: AppState; readonly close: () => void } {
  const { port1, port2 } = new MessageChannel()
  const signal = new Int32Array(new SharedArrayBuffer(4))
  const answer = farAnswers(state)
  const ask = (question: Parameters<typeof answer>[0]) => {
    port1.postMessage(answer(question))
    Atomics.store(signal, 0, 1)
  }
  return {
    state: farState(structuredClone(sentState(state)), { ask, port: port2, signal }),
    close: () => port1.close(),
  }
}
