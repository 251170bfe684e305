/**
 * The queue that a member's clients enter: reads and subscriptions are served at once from the
 * member's copy, writes go to the leader, and messages of one connection stay in order.
 */
import type { InputBody } from '../../node/input.ts'
import type { World } from '../../node/world.ts'
import { canonicalJson } from '../../data/canonicalJson.ts'
import type { OnReply, Queue, Sinks } from '../queue.ts'
import type { Copy } from './copy.ts'
import { createHeld, type Waiting } from './held.ts'
import { refusedWith, routeOf } from './route.ts'
import type { Writes } from './writes.ts'

export type FleetQueue = Queue & {
  /** Serves what arrived while the copy was still catching up, and everything after it. */
  readonly open: () => void
  /** Answers a request with an error. */
  readonly refuse: (body: InputBody, why: string, onReply: OnReply | undefined) => void
}

export type FleetQueueOptions = {
  readonly copy: Copy
  readonly world: World
  readonly writes: Writes
  /** Time has passed: the leader alone stamps it. */
  readonly tick: () => void
  readonly lagMs: () => number
  /** Of an input as text, in bytes. */
  readonly most: number
  readonly log: Sinks['log']
}

/** Returns a queue that holds everything back until it is opened. */
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
    else if (route === 'mixed') refuse(body, 'in a fleet, a batch either subscribes or changes the chain', onReply)
    else write(body, onReply)
  }

  function write(body: InputBody, onReply: OnReply | undefined): void {
    const size = isLong(body) ? Buffer.byteLength(canonicalJson(body)) : 0
    if (size > most) {
      return refuse(body, `expected a write of at most ${most} bytes in this fleet, received ${size}`, onReply)
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
    if (body.kind !== 'request') return log('error', `${body.kind} was not carried out: ${why}`)
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

/** Whether it is worth while to measure an input. */
function isLong(body: InputBody): boolean {
  return body.kind !== 'request' || body.body.length + (body.bytes?.length ?? 0) > 50_000
}
