/** Entries of the log take effect one after another, and nothing follows one that did not. */
import { setTimeout as delay } from 'node:timers/promises'
import { thrownText } from '../../errors.ts'
import type { Entry } from '../inputLog/inputLog.ts'
import type { Sinks } from '../queue.ts'

const triesMost = 3
const againMs = 500

export type TakingOptions = {
  /** Lets an entry take effect; tried again, it goes on from where it failed. */
  readonly effect: (entry: Entry) => Promise<void>
  readonly isStopped: () => boolean
  readonly log: Sinks['log']
  /** Told why an entry takes no effect here, however often it is tried. */
  readonly failed: (why: string) => void
}

/** Returns what takes entries, whoever brings them first; it resolves when they have taken effect, or failed. */
export function createTaking({ effect, isStopped, log, failed }: TakingOptions): (entry: Entry) => Promise<void> {
  let turn: Promise<void> = Promise.resolve()
  let hasFailed = false

  async function takeNext(entry: Entry): Promise<void> {
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
