/** Requests to end this process: Ctrl-C, SIGTERM, or a terminal that was closed. */
import { constants } from 'node:os'

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export type StopSignal = (typeof stopSignals)[number]

/**
 * Calls a listener at every such request, and returns what removes it. While there is a listener, a
 * request does not end the process by itself.
 */
export function onStopSignal(listener: (signal: StopSignal) => void): () => void {
  for (const signal of stopSignals) process.on(signal, listener)
  return () => {
    for (const signal of stopSignals) process.off(signal, listener)
  }
}

/**
 * Returns a signal that is aborted by the first such request; its reason is the name of the
 * request. Later ones have no effect, so that files are written to their end: only SIGKILL ends
 * the process before.
 */
export function stopRequest(): AbortSignal {
  const abort = new AbortController()
  onStopSignal((signal) => abort.abort(signal))
  // Node removes listeners for signals some time before the process is gone: a request in between
  // would take the exit code's place. An exit from within an exit leaves no such time.
  process.once('exit', (code) => process.exit(code))
  return abort.signal
}

/** Returns the exit code of a command that ended because of a request: 130 for Ctrl-C. */
export function stopCode(signal: StopSignal): number {
  return 128 + constants.signals[signal]
}
