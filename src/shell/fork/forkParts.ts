/** The parts of a forked chain, in one file that only a fork loads. */
import { createForkQueue } from './forkQueue.ts'
import { type Forking, learningOf } from './forking.ts'
import type { ForkedAt } from './stores.ts'

/** A fork with its queue and the means to fetch state. */
export type Fork = Forking &
  ForkedAt & { readonly createQueue: typeof createForkQueue; readonly learningOf: typeof learningOf }

/** Returns a fork with its parts. */
export function createFork(forking: Forking & ForkedAt): Fork {
  return { ...forking, createQueue: createForkQueue, learningOf }
}
