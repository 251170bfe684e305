import { stopRequest } from '../process/stopSignals.ts'

/**
 * Resolves when the process is asked to stop: Ctrl-C, SIGTERM, or a closed terminal. Further
 * requests have no effect. `request` is that of `stopRequest`, if the command has called it.
 */
export function untilStopped(request = stopRequest()): Promise<void> {
  return new Promise((done) => {
    request.addEventListener('abort', () => done(), { once: true })
  })
}
