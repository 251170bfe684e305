import type { Input } from '../../node/input.ts'
import type { Simulation } from '../../simulation/turn.ts'

/**
 * Returns whether an input has changed anything that lasts. The time of a clock that runs by itself
 * and the list of calls do not count; a change that was taken back may.
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
