import type { z } from 'zod'
import type { scenario } from './schema.ts'

/** A scenario, with the same keys and units as in a file. */
export type ScenarioDescription = z.input<typeof scenario>

/**
 * Returns the scenario unchanged, checked by the compiler: `export default defineScenario({ … })` in
 * a `.ts` or `.js` file means the same as a `.json5` file with that value (`mocks.md` §3.1).
 */
export function defineScenario(description: ScenarioDescription): ScenarioDescription {
  return description
}
