import { stopRequest } from '../stopSignals.ts'

/**
 * Resolves when the process is asked to end: Ctrl-C, SIGTERM, or a terminal that was closed. Being
 * asked again changes nothing.
 */
export function untilStopped(): Promise<void> {
  const request = stopRequest()
  return new Promise((done) => {
    request.addEventListener('abort', () => done(), { once: true })
  })
}
