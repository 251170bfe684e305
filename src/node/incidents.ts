/** Incidents: bugs found while the node runs. Each is numbered, counted and logged. */
import type { Node } from './node.ts'
import type { Output, ReplyOutput } from './output.ts'

/** An incident: the node that has counted it, its number, and its log line. */
export type Incident = { readonly node: Node; readonly number: number; readonly output: Output }

/** Returns the node with one more incident; `text` gives the place and the thrown error. */
export function withIncident(node: Node, text: string): Incident {
  const number = node.counters.incident
  return {
    node: { ...node, counters: { ...node.counters, incident: number + 1 } },
    number,
    output: { kind: 'log', level: 'error', text: `incident ${number}: ${text}` },
  }
}

/** Returns the JSON-RPC error of a call that failed because of an incident. */
export function incidentError(incident: number | string) {
  const data = `incident ${incident}: a bug in chainstage; its log says more`
  return { code: -32603, message: 'Internal error', data }
}

/** Returns the error response to a request that failed because of an incident. */
export function incidentReply(seq: number, incident: number | string): ReplyOutput {
  return {
    kind: 'reply',
    seq,
    status: 500,
    headers: [['Content-Type', 'application/json']],
    body: JSON.stringify({ jsonrpc: '2.0', id: null, error: incidentError(incident) }),
    wire: undefined,
  }
}
