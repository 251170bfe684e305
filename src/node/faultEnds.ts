/** The ends of fault rules on the agenda. */
import { removeDueWhere } from '../data/agenda.ts'
import type { FaultState } from '../fault/rule.ts'
import type { Node } from './node.ts'

/** Returns the agenda without the ends of rules: those of rules that are off already would pile up. */
export function withoutEnd({ agenda, faults }: Node, isOne: (name: string) => boolean): Node['agenda'] {
  if (!faults.active.some(({ rule, untilMs }) => untilMs !== undefined && isOne(rule.name))) return agenda
  return removeDueWhere(agenda, ({ item }) => item.type === 'endFault' && isOne(item.name))
}

/** Returns the node with its faults after a decision, which uses up rules that apply once. */
export function afterDecision(node: Node, faults: FaultState): Node {
  if (faults.active === node.faults.active) return { ...node, faults }
  const isUsedUp = (name: string) => !faults.active.some(({ rule }) => rule.name === name)
  return { ...node, agenda: withoutEnd(node, isUsedUp), faults }
}
