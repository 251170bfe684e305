/** The thread of `readThreads.ts`: runs executions one by one and posts their results. */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import type { EthereumView } from '../app/ethereumView.ts'
import { assert, thrownInFull } from '../errors.ts'
import { endOfLongRead, longReadEndText, type LongWork } from '../node/longRead.ts'
import type { Settings } from '../settings/settings.ts'
import { farState, type FarQuestion, type SentState } from './farState.ts'
import { loadScripts } from './scripts/loading.ts'
import { createView } from './world.ts'

/** The start data of the thread: the port and signal for answers of the main thread. */
export type ReadLine = { readonly port: MessagePort; readonly signal: SharedArrayBuffer }

/** An execution to run. */
export type ReadOrder = { readonly work: LongWork; readonly state: SentState; readonly settings: Settings }

/** Messages of the thread. `begun` starts the timeout of an execution; only a bug makes one fail. */
export type ReadNews =
  | { readonly begun: true }
  | { readonly ask: FarQuestion }
  | { readonly end: string }
  | { readonly failed: string }

const { port, signal } = workerData as ReadLine
const post = (news: ReadNews) => parentPort?.postMessage(news)
const line = { port, signal: new Int32Array(signal), ask: (question: FarQuestion) => post({ ask: question }) }

let view: { readonly of: string; readonly value: EthereumView } | undefined

/** Returns the view for some settings. The last view is cached, because most settings are equal. */
function viewOf(settings: Settings): EthereumView {
  const of = JSON.stringify(settings)
  if (view?.of === of) return view.value
  const value = createView(settings)
  assert(value !== undefined, 'a chain without an EVM has no long reads')
  view = { of, value }
  return value
}

async function carryOut({ work, state, settings }: ReadOrder): Promise<void> {
  const ours = viewOf(settings)
  if (work.part === 'trace' || work.part === 'blockTraces') await loadScripts()
  post({ begun: true })
  post({ end: longReadEndText(endOfLongRead(ours, { work, state: farState(state, line) })) })
}

parentPort?.on('message', (order: ReadOrder) => {
  carryOut(order).catch((error: unknown) => {
    post({ failed: thrownInFull(error) })
  })
})
