import { runStorm, type Failure, type Storm } from './storm.ts'
import type { Plant } from './plants.ts'

export type Shrunk = { readonly storm: Storm; readonly failure: Failure }

/** How often a smaller storm is tried at most. */
const triesMost = 150

/**
 * Resolves with a smaller storm that still fails: steps are dropped, first half of them at a time,
 * in the end one by one. The failure may be another one than before.
 */
export async function shrink(storm: Storm, failure: Failure, plant: Plant = {}): Promise<Shrunk> {
  let best: Shrunk = { storm: { ...storm, steps: storm.steps.slice(0, failure.step) }, failure }
  let tries = 0
  for (let size = Math.ceil(best.storm.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < best.storm.steps.length && tries < triesMost; ) {
      const steps = best.storm.steps.toSpliced(from, size)
      tries += 1
      const found = steps.length === 0 ? undefined : await runStorm({ ...storm, steps }, plant)
      if (found === undefined) from += size
      else best = { storm: { ...storm, steps: steps.slice(0, found.step) }, failure: found }
    }
  }
  return best
}
