/** Bounds the counts of faults: a client may turn on any number of them, each with another name. */
import type { FaultState } from '../fault/rule.ts'
import { actionsOf, type Plan } from '../plan/plan.ts'

/** The most counts of faults that are off and that the scenario does not name. */
const countsMost = 100

/** Returns the faults without the oldest counts of those that are off, except for faults of the scenario. */
export function withBoundedCounts(faults: FaultState, plan: Plan): FaultState {
  const { active, counts } = faults
  if (counts.size <= countsMost) return faults
  const kept = new Set([...active.map(({ rule }) => rule.name), ...namesIn(plan)])
  const others = [...counts.keys()].filter((name) => !kept.has(name))
  if (others.length <= countsMost) return faults
  const gone = new Set(others.slice(0, -countsMost))
  return { ...faults, counts: new Map([...counts].filter(([name]) => !gone.has(name))) }
}

function namesIn(plan: Plan): readonly string[] {
  const used = actionsOf(plan).flatMap((action) => (action.type === 'useFault' ? [action.name] : []))
  return [...plan.faults.map(({ name }) => name), ...used]
}
