import { stopRequest } from '../process/stopSignals.ts'

/**
 * Resolves when the process is asked to stop: Ctrl-C, SIGTERM, or a closed terminal. Further
 * requests have no effect.
 */
export function untilStopped(): Promise<void> {
  const request = stopRequest()
  return new Promise((done) => {
    request.addEventListener('abort', () => done(), { once: true })
  })
}
