/** Limits the bytes of unfinished messages held in memory. */
export type Budget = {
  /** Reserves bytes. Returns false, and reserves nothing, if the budget is exhausted. */
  readonly take: (bytes: number) => boolean
  readonly giveBack: (bytes: number) => void
}

/** Returns a budget of `most` bytes. Its bytes are also reserved in `around`, if given. */
export function createBudget(most: number, around?: Budget): Budget {
  let held = 0
  return {
    take: (bytes) => {
      if (held + bytes > most || around?.take(bytes) === false) return false
      held += bytes
      return true
    },
    giveBack: (bytes) => {
      held -= bytes
      around?.giveBack(bytes)
    },
  }
}
