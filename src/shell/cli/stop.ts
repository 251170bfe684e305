/** Resolves when the process is asked to end: Ctrl-C, SIGTERM, or a terminal that is gone. */
export function untilStopped(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => done())
    }
  })
}
