import { decide } from '../fault/decide.ts'
import { noClient, type FaultDecision } from '../fault/rule.ts'
import { afterDecision } from '../node/faultEnds.ts'
import type { Node } from '../node/node.ts'
import type { WireParams } from './dialect.ts'
import type { CallRun } from './callRun.ts'

/** Applies the active rules to a call. Returns their decision, and the node with updated counts. */
export function judgedCall({ node, world, dialect, call, caller, session, client, isBatch }: CallRun): {
  readonly decision: FaultDecision
  readonly node: Node
} {
  const connected = node.connections.get(caller.connection ?? 0)
  const params = paramsText(call.params)
  const { decision, state } = decide(
    node.faults,
    {
      side: dialect.side,
      transport: caller.transport === 'ws' ? 'ws' : 'http',
      method: call.name,
      params,
      subscription: subscriptionOf(call.name, params),
      isBatch,
      session,
      connection: caller.connection,
      client: client ?? connected?.client ?? noClient,
      timeMs: caller.timeMs,
      height: node.chain.height,
      request: caller.seq,
    },
    world.random,
  )
  return { decision, node: afterDecision(node, state) }
}

/** Returns the parameters as JSON text; values of a query string lose their quotes. */
function paramsText(params: WireParams): string {
  switch (params.form) {
    case 'absent':
      return '[]'
    case 'json':
      return isJson(params.text) ? params.text : JSON.stringify(params.text)
    case 'uri':
      return JSON.stringify(
        Object.fromEntries([...params.pairs].map(([name, text]) => [name, text.replace(/^"(.*)"$/s, '$1')])),
      )
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Returns the kind or query that a call subscribes to, or undefined. */
function subscriptionOf(method: string, params: string): string | undefined {
  if (method !== 'eth_subscribe' && method !== 'subscribe') return undefined
  const value: unknown = JSON.parse(params)
  const first: unknown = Array.isArray(value) ? value[0] : Object.values(value ?? {})[0]
  return typeof first === 'string' ? first : undefined
}
