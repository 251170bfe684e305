import type { Plan } from '../plan/plan.ts'
import type { Settings } from '../settings/settings.ts'
import { createSimulation } from '../simulation.ts'
import { createWorld } from './world.ts'

/** Throws if a chain cannot start because of its genesis, its fixtures or their transactions. */
export function assertStarts({
  settings,
  plan,
  genesis: document,
}: {
  readonly settings: Settings
  readonly plan: Plan
  readonly genesis: string | undefined
}): void {
  const { world, genesis } = createWorld(settings, document)
  createSimulation(world, { settings, genesis, plan })
}
