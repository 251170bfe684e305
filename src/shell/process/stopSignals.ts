/** Requests to end this process: Ctrl-C, SIGTERM, or a closed terminal. */
import { constants } from 'node:os'

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

/** Returns the exit code of a command that ended at a stop request: 130 for Ctrl-C. */
export function stopCode(signal: StopSignal): number {
  return 128 + constants.signals[signal]
}
