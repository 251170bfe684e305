/** Response headers for the generation of the scenario and the lag of a fleet member. */
import type { Headers } from './cors.ts'
import type { Queue } from '../queue.ts'

type Told = { readonly queue: Queue; readonly tellsGeneration?: boolean }

/**
 * Returns `x-chainstage-generation`, the generation of the scenario that a response is based on, if
 * the scenario can be reloaded. Members of a fleet add `x-chainstage-lag-ms`, their maximum lag.
 */
export function generationHeader({ queue, tellsGeneration }: Told): Headers {
  const lag: Headers = queue.lagMs === undefined ? [] : [['x-chainstage-lag-ms', String(queue.lagMs())]]
  if (tellsGeneration !== true) return lag
  return [['x-chainstage-generation', String(queue.simulation().progress.generation)], ...lag]
}
