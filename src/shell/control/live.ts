/** Notifies open pages of changes with server-sent events. */
import type { ServerResponse } from 'node:http'
import { ethHashOf } from '../../chain/ethIds.ts'
import { recordAt } from '../../chain/history.ts'
import { hexOf } from '../../codec/hex.ts'
import type { Controlled } from './controlled.ts'
import { fleetFact } from './fleetView.ts'
import { statusView } from './views.ts'
import type { Instance } from '../ports.ts'

/** Changes within this time are sent as one event. */
const settleMs = 100
/** Interval of the heartbeat: proxies and browsers drop idle connections. */
const heartbeatMs = 15_000

/** Sends an event immediately and after each change, until the client disconnects. */
export function sendLive(response: ServerResponse, instance: Instance, controlled: Controlled): void {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  })
  if (response.req.method === 'HEAD') return void response.end()
  let timer: NodeJS.Timeout | undefined
  let told: Newest | undefined
  const tell = () => {
    timer = undefined
    if (response.destroyed || response.writableNeedDrain) return
    const { instanceId, problems, fleet } = controlled
    const newest = statusView(instance)
    const isRewritten = told === undefined ? null : isGone(instance, told, newest)
    told = newest
    const status = { ...newest, isRewritten, instanceId, problems: problems(), fleet: fleetFact(fleet) }
    response.write(`event: changed\ndata: ${JSON.stringify(status)}\n\n`)
  }
  const changed = () => {
    timer ??= setTimeout(tell, settleMs)
  }
  const stops = [
    instance.onChange(changed),
    controlled.onProblem(changed),
    controlled.fleet?.onChange(changed),
    instance.queue.onStop(() => response.end()),
  ]
  // An event that a slow client could not take was left out.
  response.on('drain', changed)
  const heartbeat = setInterval(() => response.write(': still here\n\n'), heartbeatMs)
  response.on('close', () => {
    for (const stop of stops) stop?.()
    clearInterval(heartbeat)
    clearTimeout(timer)
  })
  tell()
}

type Newest = Pick<ReturnType<typeof statusView>, 'height' | 'hash'>

/**
 * Returns whether the block that was the newest is no longer on the chain. A client cannot tell: between
 * two updates a chain may be restored and grow beyond its earlier height.
 */
function isGone({ simulation }: Instance, { height, hash }: Newest, now: Newest): boolean {
  if (now.height < height) return true
  const record = hash === null ? undefined : recordAt(simulation().node.chain.history, BigInt(height))
  return record !== undefined && hexOf(ethHashOf(record)) !== hash
}
