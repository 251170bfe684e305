import type { Input } from '../../plan/input.ts'
import type { Simulation } from '../../simulation/turn.ts'

/**
 * Returns whether an input changed anything that must be kept. The time of a wall clock and the
 * journal of calls do not count. A change that was rolled back may count.
 */
export function hasChanged({ kind }: Input, before: Simulation, after: Simulation): boolean {
  if (kind === 'learned') return true
  if (before === after) return false
  const { pace } = after.node.settings
  return (
    before.plan !== after.plan ||
    differ(before.progress, after.progress) ||
    differ(before.node, after.node, pace === 'wall' ? 'nowMs' : undefined)
  )
}

function differ<Value extends object>(before: Value, after: Value, except?: keyof Value): boolean {
  if (before === after) return false
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof Value>
  for (const name of names) if (name !== except && before[name] !== after[name]) return true
  return false
}
