/** Faults that were turned off here and that no scenario has: without a memory of them, off would be gone for good. */
import type { FaultRule } from '../../fault/rule.ts'
import type { Instance } from '../ports.ts'

const remembered = new WeakMap<Instance, ReadonlyMap<string, FaultRule>>()
/** The oldest are forgotten. */
const most = 50

/** Returns the rules that can be turned on again, oldest first. */
export function rulesOff(instance: Instance): readonly FaultRule[] {
  return [...(remembered.get(instance) ?? new Map<string, FaultRule>()).values()]
}

/** Remembers rules that were turned off; a later rule of the same name takes the place of an earlier one. */
export function rememberOff(instance: Instance, rules: readonly FaultRule[]): void {
  const names = new Set(rules.map(({ name }) => name))
  const kept = [...rulesOff(instance).filter(({ name }) => !names.has(name)), ...rules].slice(-most)
  remembered.set(instance, new Map(kept.map((rule) => [rule.name, rule])))
}
