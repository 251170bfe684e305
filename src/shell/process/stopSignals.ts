/** Requests to end this process: Ctrl-C, SIGTERM, or a closed terminal. */
import { constants } from 'node:os'
import { SimError } from '../../errors.ts'
import { unlessAborted } from '../unlessAborted.ts'

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export type StopSignal = (typeof stopSignals)[number]

/**
 * Calls a listener at every stop request, and returns a function that removes it. While there is a
 * listener, a request does not end the process by itself.
 */
export function onStopSignal(listener: (signal: StopSignal) => void): () => void {
  for (const signal of stopSignals) process.on(signal, listener)
  return () => {
    for (const signal of stopSignals) process.off(signal, listener)
  }
}

/**
 * Returns a signal that the first stop request aborts; its reason is the name of the request. Later
 * requests have no effect, so that files are written completely; only SIGKILL can prevent that.
 */
export function stopRequest(): AbortSignal {
  const abort = new AbortController()
  onStopSignal((signal) => abort.abort(signal))
  // Node removes signal listeners some time before the process ends, and a request in between would
  // replace the exit code. Calling `exit` within the exit event leaves no such gap.
  process.once('exit', (code) => process.exit(process.exitCode ?? code))
  return abort.signal
}

/**
 * Resolves with the result of `work`, which waits for another program. Rejects with `Stopped` when a request comes
 * before it.
 */
export function unlessStopped<Value>(request: AbortSignal, work: () => Promise<Value>): Promise<Value> {
  return unlessAborted(request, work, () => new Stopped(request.reason as StopSignal))
}

/** The process was asked to stop before its chain served. */
class Stopped extends SimError {
  readonly exitCode: number

  constructor(signal: StopSignal) {
    super('STOPPED', `${signal} ended the command before its chain served`)
    this.exitCode = stopCode(signal)
  }
}

/** Returns the exit code of a command that ended at a stop request: 130 for Ctrl-C. */
export function stopCode(signal: StopSignal): number {
  return 128 + constants.signals[signal]
}
