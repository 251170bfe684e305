/** Headers that say of which chain an answer is: how new the scenario, and how new the copy. */
import type { Headers } from './cors.ts'
import type { Queue } from './queue.ts'

type Told = { readonly queue: Queue; readonly tellsGeneration?: boolean }

/**
 * Returns the headers that say which save of the scenario an answer is of, where there are saves,
 * and by how many milliseconds a member of a fleet may be behind.
 */
export function generationHeader({ queue, tellsGeneration }: Told): Headers {
  const lag: Headers = queue.lagMs === undefined ? [] : [['x-chainstage-lag-ms', String(queue.lagMs())]]
  if (tellsGeneration !== true) return lag
  return [['x-chainstage-generation', String(queue.simulation().progress.generation)], ...lag]
}
