/** Turns fault rules on and off. */
import { addDue } from '../data/agenda.ts'
import { canonicalJson } from '../data/canonicalJson.ts'
import type { ActiveFault, FaultState, FaultToSet } from '../fault/rule.ts'
import { noCount } from '../fault/select.ts'
import { concat, effects, type Effects } from './effects.ts'
import { withoutEnd } from './faultEnds.ts'
import type { Node } from './node.ts'
import { cutAtOnce, released } from './pushing.ts'

/** Returns the node with a rule turned on, and closes connections that the rule closes at once. */
export function faultSet(node: Node, { rule, forMs, forBlocks, once }: FaultToSet): Effects {
  const { name } = rule
  const untilMs = forMs === undefined ? undefined : node.nowMs + forMs
  const untilHeight = forBlocks === undefined ? undefined : node.chain.height + forBlocks
  const fault = { rule, untilMs, untilHeight, ...(once === true && { once }) }
  const others = withoutEnd(node, (one) => one === name)
  const agenda = untilMs === undefined ? others : addDue(others, untilMs, { type: 'endFault', name })
  const on = released({ ...node, agenda, faults: withFault(node.faults, fault) })
  const cut = cutAtOnce(withDoors(on.node, fault), rule)
  const isOver = once === true && cut.outputs.length > 0
  return concat(on, isOver ? { ...cut, node: without(cut.node, name) } : cut)
}

/**
 * Returns the node with one rule turned off (all rules if `name` is undefined), and sends the
 * events they held back.
 */
export function faultCleared(node: Node, name: string | undefined): Effects {
  return released(without(node, name))
}

/** Returns the node without the rule whose time is over. A rule that was turned on again stays. */
export function faultEnded(node: Node, name: string): Effects {
  const fault = node.faults.active.find(({ rule }) => rule.name === name)
  if (fault?.untilMs === undefined || fault.untilMs > node.nowMs) return effects(node)
  return faultCleared(node, name)
}

/**
 * Returns the node without the rules that its new height ends. The events that they held back
 * follow with those of the block (`released`).
 */
export function withoutEnded(node: Node): Node {
  const isOver = ({ untilHeight }: ActiveFault) => untilHeight !== undefined && untilHeight <= node.chain.height
  if (!node.faults.active.some(isOver)) return node
  return { ...node, faults: { ...node.faults, active: node.faults.active.filter((one) => !isOver(one)) } }
}

function without(node: Node, name: string | undefined): Node {
  const active = name === undefined ? [] : node.faults.active.filter(({ rule }) => rule.name !== name)
  const agenda = withoutEnd(node, (one) => name === undefined || one === name)
  return { ...node, agenda, faults: { ...node.faults, active } }
}

/** Counts a rule that closes a listener as applied once: refused connections cannot be counted. */
function withDoors(node: Node, { rule }: ActiveFault): Node {
  if (!rule.effects.some(({ type }) => type === 'refuse')) return node
  const count = node.faults.counts.get(rule.name) ?? noCount
  const counted = { ...count, matched: count.matched + 1, applied: count.applied + 1 }
  return {
    ...node,
    faults: { ...node.faults, counts: new Map([...node.faults.counts, [rule.name, counted]]) },
  }
}

/** Turns a rule on. Its counts restart unless it equals the previous rule of the same name. */
function withFault(faults: FaultState, fault: ActiveFault): FaultState {
  const { name } = fault.rule
  const old = faults.active.find(({ rule }) => rule.name === name)
  const isKnown = old !== undefined && canonicalJson(old.rule) === canonicalJson(fault.rule)
  const counts = isKnown ? faults.counts : new Map([...faults.counts].filter(([key]) => key !== name))
  const others = faults.active.filter(({ rule }) => rule.name !== name)
  return { ...faults, active: [...others, fault], counts }
}
