/** Applies the entries of the log in order. No entry is applied after one that failed. */
import { setTimeout as delay } from 'node:timers/promises'
import { thrownText } from '../../errors.ts'
import type { LogEntry } from '../inputLog/inputLog.ts'
import type { Sinks } from '../queue.ts'

const triesMost = 3
const againMs = 500

export type TakingOptions = {
  /** Applies an entry; a retry continues where the last try failed. */
  readonly effect: (entry: LogEntry) => Promise<void>
  readonly isStopped: () => boolean
  readonly log: Sinks['log']
  /** Called with the reason when an entry cannot be applied after all retries. */
  readonly failed: (why: string) => void
}

/**
 * Returns a function that applies entries from any source. It resolves when the entry has been
 * applied or has failed.
 */
export function createTaking({ effect, isStopped, log, failed }: TakingOptions): (entry: LogEntry) => Promise<void> {
  let turn: Promise<void> = Promise.resolve()
  let hasFailed = false

  async function takeNext(entry: LogEntry): Promise<void> {
    for (let tries = 1; !isStopped() && !hasFailed; tries += 1) {
      try {
        return await effect(entry)
      } catch (error) {
        const why = `entry ${entry.sequence} of the input log was not applied: ${thrownText(error)}`
        if (tries === triesMost) {
          hasFailed = true
          return failed(why)
        }
        log('error', why)
        await delay(againMs)
      }
    }
  }

  return (entry) => {
    turn = turn.then(() => takeNext(entry))
    return turn
  }
}
