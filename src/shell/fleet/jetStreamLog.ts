/**
 * The input log as a JetStream stream, one per chain. The stream numbers its messages. It accepts a
 * message only if the writer knows the number of the last one, so that a deposed leader can no
 * longer write.
 *
 * A session can be removed and created again with the same name. Each log therefore has an id,
 * which is the last token of its subject. A member that was offline during both can tell the logs
 * apart: it neither applies entries of the new log nor appends to it.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { ConsumerMessages, JetStreamClient, JetStreamManager, StreamInfo } from '@nats-io/jetstream'
import { SimError } from '../../errors.ts'
import { fleetEntryText, type FleetEntry } from './entry.ts'
import type { LogEntry, InputLog } from '../inputLog/inputLog.ts'
import { codeOf, unlessMissing, subjectWord, type Nats } from './nats.ts'
import { createSnapshots } from './snapshots.ts'

export type JetStreamLog = InputLog & {
  /** Unique to each log, even for logs of chains with the same name. */
  readonly id: string
  /** Resolves with the number of the last entry appended by any member; 0 for an empty log. */
  readonly end: () => Promise<number>
  /**
   * Passes every entry after a number to `taker`, through outages, until it is stopped. Calls
   * `missed` if the next entries were removed, because a snapshot replaces them. Calls `gone` if
   * the log itself was removed.
   */
  readonly follow: (after: number, taker: Taker) => Following
  /**
   * Resolves with whether the entry was appended under this number; if so, `take` has already
   * applied it. Throws if that remains unknown.
   */
  readonly claim: (sequence: number, entry: FleetEntry, take: (entry: LogEntry) => Promise<void>) => Promise<boolean>
  /** Removes the log and its snapshots. */
  readonly remove: () => Promise<void>
}

export type Following = {
  /** Reads again from the entry after the last one passed on. */
  readonly restart: () => void
  readonly stop: () => void
}

const appendMs = 2000
const againMs = 100
const confirmMs = 300
const wrongSequence = 10071
const streamExists = 10058

/** Resolves with the log of a chain, and creates its stream if necessary. */
export async function openJetStreamLog(nats: Nats, chain: string): Promise<JetStreamLog> {
  const { js, jsm, stream } = { ...nats, stream: nats.streamOf(chain) }
  const subject = await subjectOfLog(nats, chain)
  const id = subject.slice(subject.lastIndexOf('.') + 1)
  const snapshots = createSnapshots(nats, chain, id)
  const source: Source = { js, jsm, stream, subject }
  const end = async () => (await infoOf(source)).state.last_seq
  let known = 0
  const append = async ({ sequence, text }: LogEntry) => {
    try {
      await js.publish(subject, text, { timeout: appendMs, expect: { lastSequence: sequence - 1 } })
      known = sequence
    } catch (error) {
      if (codeOf(error) === wrongSequence) throw new Fenced(sequence)
      throw error
    }
  }
  return {
    id,
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
      // Members behind the newest snapshot can still use the one before it and the entries after
      // it.
      const before = await snapshots.keep(snapshot)
      if (before !== undefined) await jsm.streams.purge(stream, { seq: before + 1 })
    },
    follow: (after, taker) => following(source, after, taker),
    claim: async (sequence, entry, take) => {
      const text = fleetEntryText(entry)
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
      // Keep the log of a member that has created the session again.
      if (!(await isGone(source))) await jsm.streams.delete(stream).catch(unlessMissing)
      await snapshots.remove()
    },
  }
}

/** Resolves with the subject of a chain's log, and creates the stream if necessary. */
async function subjectOfLog({ jsm, streamOf, subjectOf, replicas }: Nats, chain: string): Promise<string> {
  const name = streamOf(chain)
  for (;;) {
    const [there] = (await jsm.streams.info(name).catch(unlessMissing))?.config.subjects ?? []
    if (there !== undefined) return there
    const subject = subjectOf('log', subjectWord(chain), randomBytes(8).toString('hex'))
    try {
      await jsm.streams.add({
        name,
        subjects: [subject],
        num_replicas: replicas,
        allow_direct: true,
        deny_delete: true,
      })
      return subject
    } catch (error) {
      // Another member created it first.
      if (codeOf(error) !== streamExists) throw error
    }
  }
}

type Source = {
  readonly js: JetStreamClient
  readonly jsm: JetStreamManager
  readonly stream: string
  readonly subject: string
}
export type Taker = {
  readonly take: (entry: LogEntry) => Promise<void>
  readonly missed: () => void
  readonly gone: () => void
}

/**
 * Resolves with the server's information about the stream. Throws `LogRemoved`, and the errors of
 * NATS.
 */
async function infoOf({ jsm, stream, subject }: Source): Promise<StreamInfo> {
  const info = await jsm.streams.info(stream).catch(unlessMissing)
  if (info?.config.subjects[0] !== subject) throw new LogRemoved()
  return info
}

/**
 * Resolves with whether the log has been removed; false while NATS is unavailable. A restarted
 * server may not know its streams yet, so it is asked twice.
 */
async function isGone(source: Source): Promise<boolean> {
  const seems = () =>
    infoOf(source).then(
      () => false,
      (error: unknown) => error instanceof LogRemoved,
    )
  if (!(await seems())) return false
  await delay(confirmMs)
  return seems()
}

function following(source: Source, after: number, { take, missed, gone }: Taker): Following {
  const { js, stream, subject } = source
  let position = after
  let isStopped = false
  let messages: ConsumerMessages | undefined
  const restart = () => messages?.stop()

  async function run(): Promise<void> {
    const consumer = await js.consumers.get(stream, {
      opt_start_seq: position + 1,
      filter_subjects: subject,
      inactive_threshold: 30_000,
    })
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
      if (await isGone(source)) return isStopped ? undefined : gone()
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

/**
 * Stops a consumer that receives no heartbeats. The library would recover it too, but later than a
 * fleet needs its entries.
 */
async function stopWhenSilent(messages: ConsumerMessages): Promise<void> {
  for await (const { type } of messages.status()) {
    if (type === 'heartbeats_missed' || type === 'consumer_deleted' || type === 'consumer_not_found') messages.stop()
  }
}

/** Thrown when the stream no longer exists or was replaced by another with the same name. */
class LogRemoved extends SimError {
  constructor() {
    super('LOG_REMOVED', 'the input log of this chain has been removed from NATS', {
      hint: 'Use the session again to create a new one.',
    })
  }
}

/** Thrown when another writer has appended to the log. */
export class Fenced extends SimError {
  constructor(sequence: number) {
    super('FENCED', `entry ${sequence} of the input log was appended by another member`)
  }
}
