/**
 * Remembers faults that were turned off and that the scenario does not define, so that they can be
 * turned on again.
 */
import type { FaultRule } from '../../fault/rule.ts'
import type { Instance } from '../ports.ts'

const remembered = new WeakMap<Instance, ReadonlyMap<string, FaultRule>>()
/** Number of rules kept; the oldest are dropped first. */
const most = 50

/** Returns the rules that can be turned on again, oldest first. */
export function rulesOff(instance: Instance): readonly FaultRule[] {
  return [...(remembered.get(instance) ?? new Map<string, FaultRule>()).values()]
}

/** Remembers rules that were turned off; a rule replaces an earlier rule of the same name. */
export function rememberOff(instance: Instance, rules: readonly FaultRule[]): void {
  const names = new Set(rules.map(({ name }) => name))
  const kept = [...rulesOff(instance).filter(({ name }) => !names.has(name)), ...rules].slice(-most)
  remembered.set(instance, new Map(kept.map((rule) => [rule.name, rule])))
}
