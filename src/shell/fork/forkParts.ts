/** What a chain that goes on from another one needs; it is here so that only a fork loads it. */
import { createForkQueue } from './forkQueue.ts'
import { type Forking, learningOf } from './forking.ts'

/** A fork, with what asks the other chain for it. */
export type Fork = Forking & { readonly createQueue: typeof createForkQueue; readonly learningOf: typeof learningOf }

/** Returns a fork of a chain. */
export function createFork(forking: Forking): Fork {
  return { ...forking, createQueue: createForkQueue, learningOf }
}
