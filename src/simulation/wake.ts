import { nextDue } from '../data/agenda.ts'
import type { Node } from '../node/node.ts'
import type { Output } from '../node/output.ts'

/** Returns the output that says when something is due next. */
export function wakeOf(node: Node): Output {
  const works = (node.mining ?? []).length > 0
  return { kind: 'wake', atMs: nextDue(node.agenda)?.timeMs, ...(works && { works }) }
}
