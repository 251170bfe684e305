import { thrownText } from '../errors.ts'

/** Returns a function that loads a part on its first call. After a failure, the next call tries again. */
export function lazily<Part>(load: () => Promise<Part>): () => Promise<Part> {
  let loading: Promise<Part> | undefined
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}

/** Returns the line to log for a part that could not be loaded; `what` needs it. */
export function notLoaded(what: string, error: unknown): string {
  const isGone = error instanceof Error && 'code' in error && /^(?:ENOENT|MODULE_NOT_FOUND)$/.test(String(error.code))
  const [reason] = thrownText(error).split('\n', 1)
  return `${what} could not load: ${reason}${isGone ? '. If chainstage was updated, restart it' : ''}`
}
