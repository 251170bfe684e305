/** Which member leads a chain, and how it takes the lead when nobody does. */
import { performance } from 'node:perf_hooks'
import { thrownText } from '../../errors.ts'
import type { Sinks } from '../queue.ts'
import type { Follower } from './following.ts'
import type { JetStreamLog } from './jetStreamLog.ts'
import { takeLease } from './lease.ts'
import { createLeading, type Leading, type LeadingOptions } from './leading.ts'
import type { Around, Leader } from './around.ts'

export type Leadership = {
  /** What the member leads with; undefined while it follows. */
  readonly current: () => Leading | undefined
  /** Takes the lead if it lapsed and is this member's to take. */
  readonly check: (log: JetStreamLog) => void
  /** Hears of the leader that the log names. */
  readonly led: (leader: Leader) => void
  readonly stop: () => void
}

export type LeadershipOptions = {
  readonly around: Around
  readonly chain: string
  readonly follower: () => Follower
  /** What a leader stamps inputs with. */
  readonly stamping: Pick<LeadingOptions, 'nowMs' | 'last'>
  /** Told when the member begins to lead, and when it ends. */
  readonly began: () => void
  readonly ended: () => void
  readonly log: Sinks['log']
}

/** How long the member that is to lead is asked before another one does. */
const invitedMs = 800
const triesMost = 50

/** Returns the leadership of a chain, which this member does not have. */
export function createLeadership(options: LeadershipOptions): Leadership {
  const { around, chain, follower, stamping, began, ended, log: say } = options
  const { nats, members } = around
  const what = chain === '' ? 'the main chain' : `session ${chain}`
  let leading: Leading | undefined
  let isTaking = false
  let isStopped = false
  const turn = createTurn(around, chain)

  /** The first entry of a term tells everybody that nothing of the term before can follow. */
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
    check: (log) => {
      const leader = follower().leader()
      const isLed = leader !== undefined && leader.member !== members.self && members.isAlive(leader.member)
      if (isLed) turn.over()
      if (isLed || isStopped || isTaking || leading !== undefined || !turn.isOurs(leader)) return
      isTaking = true
      void lead(log)
        .catch((error: unknown) => say('warn', `the lead of ${what} could not be taken: ${thrownText(error)}`))
        .finally(() => {
          isTaking = false
        })
    },
    led: ({ term }) => {
      if (leading !== undefined && leading.term < term) stepDown('another member does')
    },
    stop: () => {
      isStopped = true
      leading?.stop()
      leading = undefined
    },
  }
}

/** Says whether it is this member's turn to lead, and until then asks the one whose turn it is. */
function createTurn({ members, invite }: Around, chain: string) {
  let since: number | undefined
  return {
    isOurs: (leader: Leader | undefined): boolean => {
      const next = members.preferred(chain)
      if (next === members.self || leader?.member === members.self) return true
      since ??= performance.now()
      if (performance.now() - since > invitedMs) return true
      invite(next, chain)
      return false
    },
    over: () => {
      since = undefined
    },
  }
}
