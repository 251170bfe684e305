/**
 * Decides where the calls of a request are executed: on this member, or by the leader for all
 * members.
 */
import type { InputBody } from '../../plan/input.ts'
import type { RequestInput } from '../../node/input.ts'
import type { World } from '../../node/world.ts'
import { methodOf, sides } from '../../rpc/sides.ts'
import type { Simulation } from '../../simulation/turn.ts'

/** Where a request is executed; `mixed` is a batch whose calls have different routes. */
export type FleetRoute = 'own' | 'leader' | 'mixed'

/**
 * Returns where an input is executed. Reads, subscriptions and inputs about a connection are
 * executed on this member, changes of the chain by the leader. Scenarios that count calls, and
 * faults, must see every call: reads then go to the leader too.
 */
export function routeOf(body: InputBody, { node, plan }: Simulation, world: World): FleetRoute {
  if (body.kind === 'operator' || body.kind === 'performed') return 'leader'
  if (body.kind !== 'request') return 'own'
  const message = sides[body.side].read({ ...body, seq: 0, timeMs: 0n, session: '' }, node, world)
  if (message.kind === 'response') return 'own'
  const kinds = message.calls.map(({ name }) => methodOf({ side: body.side, method: name })?.kind)
  const listens = kinds.includes('subscription')
  const isWatched = node.faults.active.length > 0 || (plan.counters ?? []).length > 0
  const changes = kinds.includes('action') || (isWatched && kinds.includes('query'))
  return changes ? (listens ? 'mixed' : 'leader') : 'own'
}

/** Returns the request with an error as the response to each of its calls. */
export function refusedWith(body: RequestInput, text: string, { simulation, world }: Refusing): RequestInput {
  const message = sides[body.side].read({ ...body, seq: 0, timeMs: 0n, session: '' }, simulation.node, world)
  if (message.kind === 'response') return body
  const error = { code: -32000, message: `chainstage: ${text}`, data: undefined }
  return { ...body, recorded: message.calls.map(() => ({ ok: false, error })) }
}

export type Refusing = { readonly simulation: Simulation; readonly world: World }
