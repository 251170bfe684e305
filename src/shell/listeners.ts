export type Listeners = {
  readonly tell: () => void
  /** Adds one; returns what takes it away again. */
  readonly add: (listener: () => void) => () => void
  readonly clear: () => void
}

/** Returns those who want to be told of a change; nobody at first. */
export function createListeners(): Listeners {
  const listeners = new Set<() => void>()
  return {
    tell: () => {
      for (const listener of listeners) listener()
    },
    add: (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    clear: () => listeners.clear(),
  }
}
