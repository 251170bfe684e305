/** The order of a trace's members in geth's structs (eth/tracers). */
const callOrder = [
  'from',
  'gas',
  'gasUsed',
  'to',
  'input',
  'output',
  'error',
  'revertReason',
  'calls',
  'logs',
  'value',
  'type',
]
const logOrder = ['address', 'topics', 'data', 'position']
const structOrder = ['gas', 'failed', 'returnValue', 'structLogs']
const stepOrder = ['pc', 'op', 'gas', 'gasCost', 'depth', 'error', 'stack', 'returnData', 'memory', 'storage', 'refund']

/**
 * Returns the JSON of a trace with its members in geth's order. `tracer` is '' for the struct
 * logger. Only its traces and those of the call tracer are reordered.
 */
export function inGethOrder(json: string, tracer: string): string {
  if (tracer !== '' && tracer !== 'callTracer') return json
  const value: unknown = JSON.parse(json)
  return JSON.stringify(tracer === '' ? inOrder(value, structOrder) : inOrder(value, callOrder))
}

const orders: Readonly<Record<string, readonly string[]>> = {
  calls: callOrder,
  logs: logOrder,
  structLogs: stepOrder,
}

function inOrder(value: unknown, order: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => inOrder(each, order))
  if (typeof value !== 'object' || value === null) return value
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => rank(a) - rank(b))
      .map(([name, each]) => {
        const inner = orders[name]
        return [name, inner === undefined ? each : inOrder(each, inner)]
      }),
  )
}
