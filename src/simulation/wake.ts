import { nextDue } from '../data/agenda.ts'
import type { Node } from '../node/node.ts'
import type { Output } from '../node/output.ts'

/** Returns the output with the time at which the agenda's next entry is due. */
export function wakeOf(node: Node): Output {
  const works = (node.mining ?? []).length > 0
  return { kind: 'wake', atMs: nextDue(node.agenda)?.timeMs, ...(works && { works }) }
}
