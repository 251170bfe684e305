/**
 * The input queue for a member's clients. Reads and subscriptions are served immediately from the
 * member's copy, writes go to the leader. Messages of one connection stay in order.
 */
import type { InputBody } from '../../plan/input.ts'
import type { World } from '../../node/world.ts'
import { canonicalJson } from '../../data/canonicalJson.ts'
import type { OnReply, Queue, Sinks } from '../queue.ts'
import type { Copy } from './copy.ts'
import { createHeld, type Waiting } from './held.ts'
import { refusedWith, routeOf } from './route.ts'
import type { Writes } from './writes.ts'

export type FleetQueue = Queue & {
  /** Processes the inputs that arrived while the copy was catching up, and then every new input. */
  readonly open: () => void
  /** Responds to a request with an error. */
  readonly refuse: (body: InputBody, why: string, onReply: OnReply | undefined) => void
}

export type FleetQueueOptions = {
  readonly copy: Copy
  readonly world: World
  readonly writes: Writes
  /** Called when time has passed; only the leader adds a tick to the log. */
  readonly tick: () => void
  readonly lagMs: () => number
  /** Maximum size of an input as text, in bytes. */
  readonly most: number
  readonly log: Sinks['log']
}

/** Returns a queue that holds all inputs until it is opened. */
export function createFleetQueue({ copy, world, writes, tick, lagMs, most, log }: FleetQueueOptions): FleetQueue {
  const behind = new Map<number, Waiting[]>()
  let isStopped = false
  const held = createHeld(([body, onReply], why) => refuse(body, why, onReply))

  function enter(body: InputBody, onReply?: OnReply): void {
    if (isStopped) return
    if (body.kind === 'tick') return tick()
    if (held.hold([body, onReply])) return
    const line = 'connection' in body && body.connection !== undefined ? behind.get(body.connection) : undefined
    if (line !== undefined) return void line.push([body, onReply])
    const route = routeOf(body, copy.shared(), world)
    if (route === 'own') copy.own.enter(body, onReply)
    else if (route === 'mixed') refuse(body, 'in a fleet, a batch cannot both subscribe and change the chain', onReply)
    else write(body, onReply)
  }

  function write(body: InputBody, onReply: OnReply | undefined): void {
    const size = isLong(body) ? Buffer.byteLength(canonicalJson(body)) : 0
    if (size > most) {
      return refuse(body, `expected a write of at most ${most} bytes in this fleet, received ${size} bytes`, onReply)
    }
    if (body.kind !== 'request' || body.connection === undefined) return writes.add(body, onReply, () => {})
    const { connection, ...rest } = body
    const line: Waiting[] = []
    behind.set(connection, line)
    writes.add({ ...rest, connection: undefined }, onReply, () => {
      behind.delete(connection)
      for (let next = line.shift(); next !== undefined; next = line.shift()) {
        enter(...next)
        const again = behind.get(connection)
        if (again !== undefined) return void again.push(...line)
      }
    })
  }

  function refuse(body: InputBody, why: string, onReply: OnReply | undefined): void {
    if (body.kind !== 'request') return log('error', `${body.kind} was not executed: ${why}`)
    copy.own.enter(refusedWith(body, why, { simulation: copy.shared(), world }), onReply)
  }

  return {
    ...copy.own,
    enter,
    refuse,
    lagMs,
    simulation: () => ({ ...copy.shared(), node: copy.own.simulation().node }),
    open: () => {
      for (const waiting of held.letGo()) enter(...waiting)
    },
    stop: () => {
      isStopped = true
      held.stop()
      copy.own.stop()
    },
  }
}

/** Returns whether an input is long enough that its exact size must be measured. */
function isLong(body: InputBody): boolean {
  return body.kind !== 'request' || body.body.length + (body.bytes?.length ?? 0) > 50_000
}
