import { createListeners } from './listeners.ts'

/** What is wrong with saved files right now, by where it is; people see it until it is mended. */
export type Problem = { readonly source: string; readonly text: string }

export type Problems = {
  readonly set: (source: string, text: string) => void
  readonly clear: (source: string) => void
  readonly list: () => readonly Problem[]
  readonly onChange: (listener: () => void) => () => void
}

/** Returns a list without problems. */
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
