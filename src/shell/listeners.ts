export type Listeners = {
  readonly tell: () => void
  /** Adds a listener and returns a function that removes it. */
  readonly add: (listener: () => void) => () => void
  readonly clear: () => void
}

/** Returns an empty set of listeners for changes. */
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
