/** Joins a chain: opens the log, follows it to its end, and waits for the first input. */
import { setTimeout as delay } from 'node:timers/promises'
import { thrownText } from '../../errors.ts'
import type { Sinks } from '../queue.ts'
import type { Follower } from './following.ts'
import { openJetStreamLog, type JetStreamLog } from './jetStreamLog.ts'
import type { Nats } from './nats.ts'
import { patiently } from './patience.ts'

export type Joining = {
  /**
   * Resolves when the copy has applied every entry that the log held at first. Only the main
   * chain's promise rejects.
   */
  readonly joined: Promise<void>
  /** Returns the log, once it is open. */
  readonly log: () => JetStreamLog | undefined
  /** Returns whether the copy follows the log. */
  readonly follows: () => boolean
  readonly stop: () => void
}

export type JoiningOptions = {
  readonly nats: Nats
  readonly chain: string
  readonly follower: () => Follower
  /** Returns whether the chain has its first input. */
  readonly hasBegun: () => boolean
  /** Called as soon as the copy follows the log. */
  readonly followed: () => void
  /** Called when the chain is ready to serve requests. */
  readonly opened: () => void
  /** Called if another log replaced this one before it could be followed. */
  readonly gone: () => void
  readonly log: Sinks['log']
}

/** Time before a session that could not join tries again, in milliseconds. */
const againMs = 1000
const lookEveryMs = 10

/**
 * Starts joining. If the main chain cannot join, the process ends; a session retries until it is
 * stopped.
 */
export function createJoining(options: JoiningOptions): Joining {
  const { nats, chain, follower, hasBegun, followed, opened, gone, log: say } = options
  let log: JetStreamLog | undefined
  let follows = false
  let isStopped = false

  async function join(): Promise<void> {
    const found = await patiently(() => openJetStreamLog(nats, chain))
    if (log !== undefined && log.id !== found.id) return gone()
    log = found
    await patiently(() => follower().join(found))
    follows = true
    followed()
    // Until a member has led the chain, the chain does not have its first block.
    await patiently(async () => {
      if (!hasBegun()) throw new Error('no member leads the chain yet')
    }, lookEveryMs)
    if (!isStopped) opened()
  }

  async function joinAtLast(): Promise<void> {
    for (;;) {
      try {
        return await join()
      } catch (error) {
        if (isStopped) return
        say('error', `${chain === '' ? 'the main chain' : `session ${chain}`}: ${thrownText(error)}`)
        if (chain === '') throw error
        await delay(againMs)
      }
    }
  }

  const joined = joinAtLast()
  joined.catch(() => {})
  return {
    joined,
    log: () => log,
    follows: () => follows,
    stop: () => {
      isStopped = true
    },
  }
}
