/**
 * One chain on one member: its copy, the log that the copy follows, and its leadership while this
 * member leads. Entries are applied only after the log has acknowledged them, on the leader too.
 */
import { performance } from 'node:perf_hooks'
import type { Performed } from '../../node/input.ts'
import type { Task } from '../../node/output.ts'
import { longestTimerMs, type Pace } from '../pace.ts'
import type { InputBody } from '../../plan/input.ts'
import type { Operated } from '../ports.ts'
import type { Usage } from '../usage.ts'
import { createAdvancing, tickThrough } from './advancing.ts'
import { createCopy, type Copy, type CopyOptions } from './copy.ts'
import { createFleetQueue, type FleetQueue, type FleetQueueOptions } from './fleetQueue.ts'
import { createFollower, type Follower } from './following.ts'
import type { JetStreamLog } from './jetStreamLog.ts'
import type { Nats } from './nats.ts'
import { createLag, type Lag } from './lag.ts'
import type { Members } from './members.ts'
import { createJoining, type Joining } from './joining.ts'
import { createLeadership, type Leadership, type LeadershipOptions } from './leadership.ts'
import type { Leading } from './leading.ts'
import { createSnapshotting } from './snapshotting.ts'
import { createWrites, type Writes } from './writes.ts'
import type { Simulation } from '../../simulation/turn.ts'
import type { Around, Leader, Written } from './around.ts'

export type FleetChain = {
  readonly queue: FleetQueue
  /** Resolves when the copy has applied every entry that the log held when the chain was opened. */
  readonly joined: Promise<void>
  /** The term in which this member leads; undefined while another member leads. */
  readonly term: () => number | undefined
  readonly leader: () => Leader | undefined
  /** The number of the last entry applied here. */
  readonly sequence: () => number
  readonly shared: () => Simulation
  readonly nowMs: Copy['nowMs']
  /** Number of entries that the leader has announced and this member has not applied. */
  readonly behind: () => number
  /** Milliseconds since the copy was last up to date; 0 while it is. */
  readonly lagMs: () => number
  /** Number of pending writes from this member's clients. */
  readonly openWrites: () => number
  /** Takes over leadership if the chain has no leader and it is this member's turn. */
  readonly check: () => void
  /**
   * Receives writes from another member's clients. An empty list means only that the chain is in
   * use.
   */
  readonly receive: (written: Written) => void
  /** Reads from the log again, for example after an outage. */
  readonly resume: () => void
  /** Moves standing simulation time forward by milliseconds; resolves when it has moved here. */
  readonly advance: (ms: number) => Promise<Operated>
  /** Resolves when the copy has applied every input that the leader had before the call. */
  readonly caughtUp: () => Promise<Operated>
  readonly stop: () => void
  readonly remove: () => Promise<void>
}

export type ChainOptions = Omit<CopyOptions, 'claim' | 'ownSinks' | 'self'> & {
  readonly pace: Pace
  readonly usage: Usage
  readonly perform: (task: Task) => Promise<Performed>
  /** Called with the result of a command that `queue` was given. */
  readonly operated: FleetQueueOptions['operated']
}

/**
 * Interval at which the leader is told that a session is in use elsewhere, so that the session
 * neither pauses nor expires.
 */
const usedEveryMs = 3000

/** Returns a chain and starts joining it. */
export function openChain(around: Around, options: ChainOptions): FleetChain {
  const { nats, members } = around
  const { session: chain, pace, sinks, world, operated } = options
  const leader = () => follower.leader()
  const leading = () => leadership.current()
  const log = () => joining.log()
  const logId = () => log()?.id ?? ''
  const writes = writesOf(around, chain, {
    ...{ leader, logId, leading },
    fail: (body, why, onReply) => queue.unconfirmed(body, why, onReply),
  })
  const copy = copyOf({ ...options, self: members.self }, writes, leading)
  const follower: Follower = createFollower({
    ...{ copy, log: sinks.log },
    led: (next) => [leadership.led(next), writes.sendAll()],
    taken: (before) => snapshot(before),
    ...{ gone: () => around.gone(chain), failed: around.failed },
  })
  const leadership: Leadership = createLeadership({
    ...{ around, chain, log: sinks.log, follower: () => follower },
    stamping: stampingOf(pace, copy, () => follower.sequence()),
    began: () => [pace.setNow(copy.nowMs()), tick(), writes.sendAll()],
    ended: () => pace.wake(undefined),
  })
  const snapshot = createSnapshotting({
    ...{ copy, say: sinks.log, self: members.self, alive: members.alive, every: around.snapshotEvery },
    ...{ log, follower: () => follower },
  })
  const tick = (body: InputBody = { kind: 'tick' }) => leading()?.enter(body)
  const lag = lagOf(members, chain, follower)
  const queue = createFleetQueue({
    ...{ copy, world, writes, tick, operated, lagMs: lag.ms, most: nats.entryMost, log: sinks.log },
  })
  const check = () => {
    lag.look()
    const opened = log()
    if (!joining.follows() || opened === undefined || nats.connection.isClosed()) return
    leadership.check(opened)
    use.tell(leader())
  }
  const use = createUse(around, options, logId)
  const joining: Joining = createJoining({
    ...{ nats, chain, follower: () => follower, hasBegun: () => copy.seq() > 0, log: sinks.log },
    ...{ followed: check, opened: queue.open, gone: () => around.gone(chain) },
  })
  return {
    ...{ queue, joined: joining.joined, leader, check, resume: follower.resume, sequence: follower.sequence },
    ...{ shared: copy.shared, nowMs: copy.nowMs },
    term: () => leading()?.term,
    behind: lag.entries,
    lagMs: lag.ms,
    ...{ openWrites: writes.size, advance: createAdvancing(copy, writes), caughtUp: () => tickThrough(writes) },
    receive: (written) => leadership.inTerm(written.term, (by) => use.receive(by, written)),
    stop: () => {
      joining.stop()
      leadership.stop()
      follower.stop()
      writes.stop()
      queue.stop()
    },
    remove: () => removeChain(nats, chain, log()),
  }
}

function stampingOf({ nowMs }: Pace, copy: Copy, sequence: () => number): LeadershipOptions['stamping'] {
  return { nowMs, last: () => ({ sequence: sequence(), seq: copy.seq(), timeMs: copy.shared().node.nowMs }) }
}

function lagOf(members: Members, chain: string, { leader, sequence }: Follower): Lag {
  const announced = () => {
    const by = leader()
    return by === undefined ? undefined : members.announced(by.member, chain)
  }
  return createLag({ announced, sequence, silentMs: members.lagMs })
}

async function removeChain({ kv, keyOf }: Nats, chain: string, log: JetStreamLog | undefined): Promise<void> {
  if (log === undefined) return
  await log.remove()
  await kv.delete(keyOf('leader', chain, log.id))
}

type Leads = () => Leading | undefined

/**
 * Returns the copy of the chain. Only the leader's timers and tasks act on the shared chain; every
 * other member's act on its own clients.
 */
function copyOf(options: ChainOptions & Pick<CopyOptions, 'self'>, { claim }: Writes, leading: Leads): Copy {
  const { pace, sinks, perform } = options
  const timer = createOwnTimer(
    () => copy.nowMs(),
    () => copy.own.enter({ kind: 'tick' }),
  )
  const copy: Copy = createCopy({
    ...options,
    claim,
    sinks: {
      ...sinks,
      wake: (atMs, works) => {
        if (leading() !== undefined) sinks.wake(atMs, works)
        else pace.wake(undefined)
      },
      perform: (id, task) => {
        const by = leading()
        if (by !== undefined) void perform(task).then((result) => by.enter({ kind: 'performed', id, result }))
      },
    },
    ownSinks: {
      wake: timer.wake,
      perform: (id, task) => {
        void perform(task).then((result) => copy.own.enter({ kind: 'performed', id, result }))
      },
    },
  })
  return copy
}

type Sending = {
  readonly logId: () => string
  readonly leader: () => Leader | undefined
  readonly leading: Leads
  readonly fail: FleetQueue['unconfirmed']
}

function writesOf({ members: { self }, send }: Around, chain: string, sending: Sending): Writes {
  const { leader, leading, fail, logId } = sending
  return createWrites({
    self,
    fail,
    send: (calls) => {
      const to = leader()
      if (to === undefined) return
      if (to.member !== self) return send(to.member, { chain, log: logId(), term: to.term, calls })
      for (const { call, body, atMs } of calls) leading()?.enter(body, { from: { member: self, call }, atMs })
    },
  })
}

/**
 * Tells a session's leader about use on other members. The main chain neither pauses nor expires.
 */
function createUse({ members, send }: Around, { session: chain, usage }: ChainOptions, logId: () => string) {
  let toldAt = -Infinity
  return {
    tell: (leader: Leader | undefined) => {
      const now = performance.now()
      if (chain === '' || leader === undefined || leader.member === members.self) return
      if (now - toldAt < usedEveryMs || usage.idleMs() > usedEveryMs) return
      toldAt = now
      send(leader.member, { chain, log: logId(), term: leader.term, calls: [] })
    },
    receive: (leading: Leading, { log, member, calls }: Written) => {
      if (log !== logId()) return
      usage.touch()
      for (const { call, body, atMs } of calls) leading.enter(body, { from: { member, call }, atMs })
      if (calls.length === 0) leading.enter({ kind: 'tick' })
    },
  }
}

/** Returns a timer for delayed replies and replies that time out. `nowMs` is simulation time, which must not run slower than the clock. */
function createOwnTimer(nowMs: () => bigint, tick: () => void) {
  let timer: NodeJS.Timeout | undefined
  return {
    wake: (atMs: bigint | undefined) => {
      clearTimeout(timer)
      if (atMs === undefined) return
      timer = setTimeout(tick, Math.min(Math.max(Number(atMs - nowMs()), 1), longestTimerMs)).unref()
    },
  }
}
