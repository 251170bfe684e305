/**
 * Resolves with the result of `work`. Rejects with the error that `why` returns when the signal is aborted before,
 * and leaves nothing at the signal. Work that is not needed any more goes on unnoticed, or does not begin.
 */
export function unlessAborted<Value>(
  signal: AbortSignal,
  work: () => Promise<Value>,
  why: () => Error,
): Promise<Value> {
  return new Promise((done, fail) => {
    const giveUp = () => fail(why())
    if (signal.aborted) return giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    work()
      .finally(() => signal.removeEventListener('abort', giveUp))
      .then(done, fail)
  })
}
