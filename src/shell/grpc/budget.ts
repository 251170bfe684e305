/** How many bytes of unfinished messages may be held at one time. */
export type Budget = {
  /** Takes so many bytes; returns whether they were there to take. */
  readonly take: (bytes: number) => boolean
  readonly giveBack: (bytes: number) => void
}

/** Returns a budget of so many bytes, which are also taken from the one around it. */
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
