import { createListeners } from './listeners.ts'

/** A current error in a saved file. It is shown until the file is corrected. */
export type Problem = { readonly source: string; readonly text: string }

export type Problems = {
  readonly set: (source: string, text: string) => void
  readonly clear: (source: string) => void
  readonly list: () => readonly Problem[]
  readonly onChange: (listener: () => void) => () => void
}

/** Returns an empty list of problems, with at most one per source. */
export function createProblems(): Problems {
  const texts = new Map<string, string>()
  const listeners = createListeners()
  return {
    set: (source, text) => {
      texts.set(source, text)
      listeners.tell()
    },
    clear: (source) => {
      if (texts.delete(source)) listeners.tell()
    },
    list: () => [...texts].map(([source, text]) => ({ source, text })),
    onChange: listeners.add,
  }
}
