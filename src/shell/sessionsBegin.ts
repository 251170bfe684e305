/** How sessions begin: as the main chain did, or with a scenario that the main chain has taken in since. */
import { allOf } from '../data/work.ts'
import { isExpected } from '../errors.ts'
import type { Plan } from '../plan/plan.ts'
import type { Settings } from '../settings/settings.ts'
import { begin, type Beginning } from './beginning.ts'
import type { Sinks } from './queue.ts'

/** What a beginning follows from, besides the user's genesis document. */
export type Begun = { readonly settings: Settings; readonly plan: Plan; readonly generation: number }

export type SessionsBegin = {
  /** Returns the beginning of a new session. */
  readonly now: () => Beginning
  /** Lets later sessions begin with another plan and settings. */
  readonly with: (given: Begun) => void
}

/**
 * Returns the beginning of sessions, at first that of the main chain. A later one is built for the first session
 * that needs it; if that fails, sessions begin as before.
 */
export function createSessionsBegin(first: Beginning, genesis: string | undefined, log: Sinks['log']): SessionsBegin {
  let last = first
  let next: Begun | undefined
  return {
    now: () => {
      const given = next
      next = undefined
      try {
        if (given !== undefined) last = allOf(begin({ ...given, genesis }))
      } catch (error) {
        if (!isExpected(error)) throw error
        log('warn', `sessions begin without the last reload: ${error.message}`)
      }
      return last
    },
    with: (given) => {
      next = given
    },
  }
}
