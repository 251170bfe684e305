/**
 * The input queue for a member's clients. Reads and subscriptions are served immediately from the
 * member's copy, writes go to the leader. Messages of one connection stay in order.
 */
import type { InputBody, OperatorCommand } from '../../plan/input.ts'
import type { Node } from '../../node/node.ts'
import type { World } from '../../node/world.ts'
import type { FaultState } from '../../fault/rule.ts'
import type { Operated } from '../ports.ts'
import type { OnReply, Queue, Sinks } from '../queue.ts'
import type { Copy } from './copy.ts'
import { sizeOf } from './entry.ts'
import { createHeld, type HeldInput } from './held.ts'
import { idsOf, stoppedReply } from '../stopped.ts'
import { refusedWith, routeOf } from './route.ts'
import type { Writes } from './writes.ts'

export type FleetQueue = Queue & {
  /** Processes the inputs that arrived while the copy was catching up, and then every new input. */
  readonly open: () => void
  /** Reports that no leader has confirmed a write; `why` says so. */
  readonly unconfirmed: (body: InputBody, why: string, onReply: OnReply | undefined) => void
}

export type FleetQueueOptions = {
  readonly copy: Copy
  readonly world: World
  readonly writes: Writes
  /** Called when time has passed; only the leader adds a tick to the log. */
  readonly tick: (body: Extract<InputBody, { kind: 'tick' }>) => void
  readonly lagMs: () => number
  /** Called with the result of an operator's command. */
  readonly operated: (command: OperatorCommand, operated: Operated) => void
  /** Maximum size of an input as text, in bytes. */
  readonly most: number
  readonly log: Sinks['log']
}

/** Returns a queue that holds all inputs until it is opened. */
export function createFleetQueue(options: FleetQueueOptions): FleetQueue {
  const { copy, world, writes, tick, lagMs, operated, most, log } = options
  const behind = new Map<number, HeldInput[]>()
  let isStopped = false
  const held = createHeld(([body, onReply], why) => refuse(body, why, onReply))

  function enter(body: InputBody, onReply?: OnReply): void {
    if (isStopped) return onReply?.(stoppedReply(idsOf(body)))
    if (body.kind === 'tick') return tick(body)
    if (held.hold([body, onReply])) return
    const line = 'connection' in body && body.connection !== undefined ? behind.get(body.connection) : undefined
    if (line !== undefined) return void line.push([body, onReply])
    const route = routeOf(body, copy.shared(), world)
    if (route === 'own') copy.own.enter(body, onReply)
    else if (route === 'mixed') refuse(body, 'in a fleet, a batch cannot both subscribe and change the chain', onReply)
    else write(body, onReply)
  }

  function write(body: InputBody, onReply: OnReply | undefined): void {
    const size = sizeOf(body)
    if (size > most) {
      return refuse(body, `expected a write of at most ${most} bytes in this fleet, received ${size} bytes`, onReply)
    }
    if (body.kind === 'operator') {
      return writes.add(body, { onReply, settled: (result) => result && operated(body.command, result) })
    }
    if (body.kind !== 'request' || body.connection === undefined) {
      return writes.add(body, { onReply, settled: () => {} })
    }
    const { connection, ...rest } = body
    const line: HeldInput[] = []
    behind.set(connection, line)
    const settled = () => {
      behind.delete(connection)
      for (let next = line.shift(); next !== undefined; next = line.shift()) {
        enter(...next)
        const again = behind.get(connection)
        if (again !== undefined) return void again.push(...line)
      }
    }
    writes.add({ ...rest, connection: undefined }, { onReply, settled })
  }

  function refuse(body: InputBody, why: string, onReply: OnReply | undefined): void {
    if (body.kind === 'operator') return operated(body.command, { kind: 'refused', message: why })
    if (body.kind !== 'request') return log('error', `${body.kind} was not executed: ${why}`)
    copy.own.enter(refusedWith(body, why, { simulation: copy.shared(), world }), onReply)
  }

  return {
    ...copy.own,
    enter,
    unconfirmed: (body, why, onReply) => {
      if (body.kind === 'operator') operated(body.command, { kind: 'unconfirmed', message: why })
      else refuse(body, why, onReply)
    },
    lagMs,
    simulation: () => ({ ...copy.shared(), node: withShared(copy.own.simulation().node, copy.shared().node) }),
    open: () => {
      for (const waiting of held.letGo()) enter(...waiting)
    },
    stop: () => {
      isStopped = true
      held.stop()
      copy.stop()
    },
  }
}

/**
 * Returns the clients' node with parts of the shared one: the mining jobs, so that callers can await
 * them, and the faults of calls, which the whole fleet counts.
 */
function withShared(own: Node, { mining, cutShort, counters, faults }: Node): Node {
  const { masked, maskedCount } = faults
  return {
    ...own,
    faults: { ...own.faults, counts: largerCounts(own.faults.counts, faults.counts), masked, maskedCount },
    ...(mining !== undefined && { mining }),
    ...(cutShort !== undefined && { cutShort }),
    ...(counters.mining !== undefined && { counters: { ...own.counters, mining: counters.mining } }),
  }
}

/**
 * Returns the larger count of each rule. Calls are judged by the shared simulation; events and
 * handshakes by that of the clients, whose counts of calls stay as they were.
 */
function largerCounts(own: FaultState['counts'], shared: FaultState['counts']): FaultState['counts'] {
  if (shared.size === 0) return own
  const larger = [...own].filter(([name, { matched }]) => matched > (shared.get(name)?.matched ?? 0))
  return larger.length === 0 ? shared : new Map([...shared, ...larger])
}
