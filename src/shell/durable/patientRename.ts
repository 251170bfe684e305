/** Renames files on Windows, where a virus scanner or an indexer opens for a moment what has just been written. */
import { setTimeout as delay } from 'node:timers/promises'

export type Rename = (from: string, to: string) => Promise<void>

const longestWaitMs = 512

/**
 * Returns a rename that tries again for a second while another program has one of the files open,
 * which Windows answers with EPERM, EACCES or EBUSY. Then, and at other errors, it rejects.
 */
export function patient(rename: Rename): Rename {
  return async (from, to) => {
    for (let waitMs = 1; ; waitMs *= 2) {
      try {
        return await rename(from, to)
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException
        if (waitMs > longestWaitMs || !/^(?:EPERM|EACCES|EBUSY)$/.test(code)) throw error
      }
      await delay(waitMs)
    }
  }
}
