/** Decides which member leads a chain, and takes over leadership if there is no leader. */
import { replaced, type Nats } from './nats.ts'
import type { Members } from './members.ts'
import { performance } from 'node:perf_hooks'
import { thrownText } from '../../errors.ts'
import type { Sinks } from '../queue.ts'
import type { Follower } from './following.ts'
import type { JetStreamLog } from './jetStreamLog.ts'
import { createLeading, type Leading, type LeadingOptions } from './leading.ts'
import type { Around, Leader } from './around.ts'

export type Leadership = {
  /** The leader's work while this member leads; undefined while it follows. */
  readonly current: () => Leading | undefined
  /**
   * Passes the leader's work to `use` if this member leads in a term. Another member can apply the
   * entry that starts a term before its leader has: while this member takes over, `use` waits.
   */
  readonly inTerm: (term: number, use: (leading: Leading) => void) => void
  /** Takes over leadership if the chain has no leader and it is this member's turn. */
  readonly check: (log: JetStreamLog) => void
  /** Called with the leader that the log names. */
  readonly led: (leader: Leader) => void
  readonly stop: () => void
}

export type LeadershipOptions = {
  readonly around: Around
  readonly chain: string
  readonly follower: () => Follower
  /** The time and numbers with which a leader stamps inputs. */
  readonly stamping: Pick<LeadingOptions, 'nowMs' | 'last'>
  /** Called when this member starts to lead, and when it stops. */
  readonly began: () => void
  readonly ended: () => void
  readonly log: Sinks['log']
}

/**
 * Time for which the preferred leader of a new chain is invited before another member leads it, in
 * milliseconds.
 */
const invitedMs = 800
/** The same after a leader ended: writes wait, and the preferred member may be busy starting. */
const invitedAgainMs = 250
const triesMost = 50
/** Maximum number of messages that wait while this member takes over. Members send lost ones again. */
const waitingMost = 256

/** Returns the leadership of a chain that this member does not lead yet. */
export function createLeadership(options: LeadershipOptions): Leadership {
  const { around, chain, follower, stamping, began, ended, log: say } = options
  const { nats, members } = around
  const what = chain === '' ? 'the main chain' : `session ${chain}`
  let leading: Leading | undefined
  let isStopped = false
  const takeover = createTakeover()
  const turn = createTurn(around, chain)

  /** Starts a term. Its first entry tells all members that no earlier term can continue. */
  async function lead(log: JetStreamLog): Promise<void> {
    const lease = await takeLease(nats, members, { chain, id: log.id })
    if (lease === undefined) return
    const { reached, sequence, take, leader } = follower()
    for (let tries = 0; tries < triesMost && !isStopped; tries += 1) {
      await reached(await log.end())
      if (!(await log.claim(sequence() + 1, { kind: 'led', term: lease.term, member: members.self }, take))) continue
      const now = leader()
      if (now?.member === members.self && now.term === lease.term) begin(log, lease.term)
      return
    }
  }

  function begin(log: JetStreamLog, term: number): void {
    if (isStopped) return
    const { take } = follower()
    const lost = (error: unknown) => stepDown(thrownText(error))
    leading = createLeading({
      ...{ ...stamping, session: chain, term, append: log.append, take, lost, most: nats.entryMost },
      appended: around.measure.appended,
    })
    around.measure.led()
    say('info', `this member leads ${what} from term ${term}`)
    members.speak()
    began()
  }

  function stepDown(why: string): void {
    if (leading === undefined) return
    leading.stop()
    leading = undefined
    say('warn', `this member no longer leads ${what}: ${why}`)
    ended()
  }

  return {
    current: () => leading,
    inTerm: (term, use) =>
      takeover.afterwards(() => {
        if (leading?.term === term) use(leading)
      }),
    check: (log) => {
      const leader = follower().leader()
      const isLed = leader !== undefined && leader.member !== members.self && members.isAlive(leader.member)
      if (isLed) turn.over()
      if (isLed || isStopped || takeover.isOn() || leading !== undefined || !turn.isOurs(leader)) return
      const failed = (error: unknown) => say('warn', `could not become leader of ${what}: ${thrownText(error)}`)
      void takeover.run(() => lead(log).catch(failed))
    },
    led: ({ term }) => {
      if (leading !== undefined && leading.term < term) stepDown('another member leads')
    },
    stop: () => {
      isStopped = true
      leading?.stop()
      leading = undefined
    },
  }
}

/** The takeover of leadership, and what waits until it has ended. */
function createTakeover() {
  let isOn = false
  let waiting: (() => void)[] = []
  return {
    isOn: () => isOn,
    run: async (work: () => Promise<void>) => {
      isOn = true
      await work()
      isOn = false
      const uses = waiting
      waiting = []
      for (const use of uses) use()
    },
    /** Calls `use` now, or when a takeover that is on has ended; drops it if too much waits already. */
    afterwards: (use: () => void) => {
      if (!isOn) use()
      else if (waiting.length < waitingMost) waiting.push(use)
    },
  }
}

/** Returns whether it is this member's turn to lead. Until then, invites the preferred member. */
function createTurn({ members, invite }: Around, chain: string) {
  let since: number | undefined
  return {
    isOurs: (leader: Leader | undefined): boolean => {
      const next = members.preferred(chain)
      if (next === members.self || leader?.member === members.self) return true
      since ??= performance.now()
      if (performance.now() - since > (leader === undefined ? invitedMs : invitedAgainMs)) return true
      invite(next, chain)
      return false
    },
    over: () => {
      since = undefined
    },
  }
}

/**
 * Resolves with the lease for a new term; undefined while another member holds it. A lease is a key
 * whose value names the leader, and only one member can replace a given value.
 */
async function takeLease(
  { kv, keyOf }: Nats,
  { self, isAlive }: Members,
  { chain, id }: { readonly chain: string; readonly id: string },
): Promise<Leader | undefined> {
  const key = keyOf('leader', chain, id)
  const entry = await kv.get(key)
  const held = entry === null || entry.operation !== 'PUT' ? undefined : entry.json<Leader>()
  if (held !== undefined && held.member !== self && isAlive(held.member)) return undefined
  const lease: Leader = { member: self, term: (held?.term ?? 0) + 1 }
  return (await replaced(kv, { key, entry }, lease)) ? lease : undefined
}
