/** Bugs that came to light while the node ran: each is numbered, counted and logged. */
import type { Node } from './node.ts'
import type { Output, ReplyOutput } from './output.ts'

/** The node that has counted an incident, its number, and the line for the log. */
export type Incident = { readonly node: Node; readonly number: number; readonly output: Output }

/** Returns the node after one more incident; `text` says where it happened and what was thrown. */
export function withIncident(node: Node, text: string): Incident {
  const number = node.counters.incident
  return {
    node: { ...node, counters: { ...node.counters, incident: number + 1 } },
    number,
    output: { kind: 'log', level: 'error', text: `incident ${number}: ${text}` },
  }
}

/** Returns the answer to a request that could not be carried out because of an incident. */
export function incidentReply(seq: number, incident: number | string): ReplyOutput {
  const error = {
    code: -32603,
    message: 'Internal error',
    data: `incident ${incident}: a bug in chainstage; its log says more`,
  }
  return {
    kind: 'reply',
    seq,
    status: 500,
    headers: [['Content-Type', 'application/json']],
    body: JSON.stringify({ jsonrpc: '2.0', id: null, error }),
    wire: undefined,
  }
}
