import type { World } from '../node/world.ts'
import { filledJson } from '../scenario/late.ts'
import type { Drawer } from '../scenario/verdict.ts'
import { lateNames } from './lateNames.ts'
import { accountsNamed } from './names.ts'
import type { Simulation } from './turn.ts'

/**
 * Returns the JSON text of parameters with their expressions evaluated, and with known names such
 * as `@alice` replaced by addresses.
 */
export function paramsNow(world: World, simulation: Simulation, json: string, by?: Drawer): string {
  const filled = filledJson(json, () => lateNames(world, simulation, by))
  if (!filled.includes('"@')) return filled
  const {
    node,
    progress: { facts },
  } = simulation
  const known = accountsNamed(world, node, facts)
  return JSON.stringify(
    JSON.parse(filled, (_, value: unknown) =>
      typeof value === 'string' && value.startsWith('@') ? (known.get(value.slice(1)) ?? value) : value,
    ),
  )
}
