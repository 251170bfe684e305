/**
 * The input log as a JetStream stream: one for each chain. The stream numbers its messages, and
 * takes one only if its writer knows the number before it, so that a leader that was deposed cannot
 * write any more.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { ConsumerMessages, JetStreamClient, JetStreamManager } from '@nats-io/jetstream'
import { SimError } from '../../errors.ts'
import { entryText, type FleetEntry } from './entry.ts'
import type { Entry, InputLog } from '../inputLog/inputLog.ts'
import { wordOf, type Nats } from './nats.ts'
import { createSnapshots } from './snapshots.ts'

export type JetStreamLog = InputLog & {
  /** Resolves with the number of the last entry that any member appended; 0 for an empty log. */
  readonly end: () => Promise<number>
  /**
   * Hands over every entry after a number as it comes, until it is stopped, through outages.
   * `missed` is told when the next entries have been removed: a snapshot has them.
   */
  readonly follow: (after: number, take: (entry: Entry) => Promise<void>, missed: () => void) => Following
  /**
   * Resolves with whether an entry became the one of that number; then it has taken effect through
   * `take`. Throws what leaves that open.
   */
  readonly claim: (sequence: number, entry: FleetEntry, take: (entry: Entry) => Promise<void>) => Promise<boolean>
  /** Removes the log and its snapshots. */
  readonly remove: () => Promise<void>
}

export type Following = {
  /** Asks again from the last entry that was handed over. */
  readonly restart: () => void
  readonly stop: () => void
}

const appendMs = 2000
const againMs = 100
const wrongSequence = 10071
const streamMissing = 10059

/** Resolves with the log of a chain, whose stream is made where there is none. */
export async function openJetStreamLog(nats: Nats, chain: string): Promise<JetStreamLog> {
  const { js, jsm, stream, subject } = {
    ...nats,
    stream: nats.streamOf(chain),
    subject: nats.subjectOf('log', wordOf(chain)),
  }
  const snapshots = createSnapshots(nats, chain)
  await jsm.streams.add({
    name: stream,
    subjects: [subject],
    num_replicas: nats.replicas,
    allow_direct: true,
    deny_delete: true,
  })
  const end = async () => (await jsm.streams.info(stream)).state.last_seq
  let known = 0
  const append = async ({ sequence, text }: Entry) => {
    try {
      await js.publish(subject, text, { timeout: appendMs, expect: { lastSequence: sequence - 1 } })
      known = sequence
    } catch (error) {
      if (codeOf(error) === wrongSequence) throw new Fenced(sequence)
      throw error
    }
  }
  return {
    last: () => known,
    end,
    snapshot: snapshots.newest,
    append,
    async *read(after) {
      for (let sequence = after + 1; sequence <= (await end()); sequence += 1) {
        const message = await jsm.streams.getMessage(stream, { seq: sequence })
        if (message === null) return
        known = sequence
        yield { sequence, text: message.string() }
      }
    },
    shorten: async (snapshot) => {
      // Members that are behind the newest snapshot still find what follows the one before it.
      const before = await snapshots.keep(snapshot)
      if (before !== undefined) await jsm.streams.purge(stream, { seq: before + 1 })
    },
    follow: (after, take, missed) => following({ js, jsm, stream }, after, { take, missed }),
    claim: async (sequence, entry, take) => {
      const text = entryText(entry)
      try {
        await append({ sequence, text })
      } catch (error) {
        if (error instanceof Fenced) return false
        throw error
      }
      await take({ sequence, text })
      return true
    },
    close: async () => {},
    remove: async () => {
      await jsm.streams.delete(stream).catch(unlessMissing)
      await snapshots.remove()
    },
  }
}

type Source = { readonly js: JetStreamClient; readonly jsm: JetStreamManager; readonly stream: string }
type Taker = { readonly take: (entry: Entry) => Promise<void>; readonly missed: () => void }

function following({ js, stream }: Source, after: number, { take, missed }: Taker): Following {
  let position = after
  let isStopped = false
  let messages: ConsumerMessages | undefined
  const restart = () => messages?.stop()

  async function run(): Promise<void> {
    const consumer = await js.consumers.get(stream, { opt_start_seq: position + 1, inactive_threshold: 30_000 })
    const open = await consumer.consume({ max_messages: 256, expires: 5000, idle_heartbeat: 1000 })
    messages = open
    if (isStopped) return open.stop()
    void stopWhenSilent(open)
    for await (const message of open) {
      if (isStopped) return
      if (message.seq <= position) continue
      if (message.seq > position + 1) return missed()
      position = message.seq
      await take({ sequence: position, text: message.string() })
    }
  }

  void (async () => {
    while (!isStopped) {
      await run().catch(() => {})
      restart()
      if (!isStopped) await delay(againMs)
    }
  })()
  return {
    restart,
    stop: () => {
      isStopped = true
      restart()
    },
  }
}

/** The library mends its consumers by itself, but later than a fleet wants to know of entries. */
async function stopWhenSilent(messages: ConsumerMessages): Promise<void> {
  for await (const { type } of messages.status()) {
    if (type === 'heartbeats_missed' || type === 'consumer_deleted' || type === 'consumer_not_found') messages.stop()
  }
}

/** Returns the number of an error of JetStream; undefined for any other. */
export function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
}

/** Throws an error again unless it says that a stream is not there. */
export function unlessMissing(error: unknown): undefined {
  if (codeOf(error) !== streamMissing) throw error
  return undefined
}

/** Somebody else has appended to the log. */
export class Fenced extends SimError {
  constructor(sequence: number) {
    super('FENCED', `entry ${sequence} of the input log was appended by another member`)
  }
}
