import type { z } from 'zod'
import type { scenario } from './schema.ts'

/** A scenario as a value, with the same keys and units as in a file. */
export type ScenarioDescription = z.input<typeof scenario>

/**
 * Returns the scenario unchanged; it adds type checking. In a `.ts` or `.js` file, `export default
 * defineScenario({ … })` is equivalent to a `.json5` file with that value.
 */
export function defineScenario(description: ScenarioDescription): ScenarioDescription {
  return description
}
