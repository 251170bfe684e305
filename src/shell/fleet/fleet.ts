/** A process as a member of a fleet: its connection, the other members, and its chains. */
import { hostname } from 'node:os'
import { canonicalJson } from '../../data/canonicalJson.ts'
import { parseCanonicalJson } from '../../data/parseCanonicalJson.ts'
import { digest } from '../../simulation/digest.ts'
import { openChain, type ChainOptions, type FleetChain } from './chain.ts'
import type { Charter, FleetOptions } from './options.ts'
import { agreeOn } from './charter.ts'
import { aroundMost, sizeOf } from './entry.ts'
import { onReconnect } from './connection.ts'
import type { FleetFigures, FleetMeasure } from './figures.ts'
import { createMembers, type Members } from './members.ts'
import { patiently } from './patience.ts'
import { openNats } from './nats.ts'
import { createListeners } from '../listeners.ts'
import { askOver, type ChainStatus, type MemberStatus } from './status.ts'
import type { Call } from './writes.ts'
import type { Settings } from '../../settings/settings.ts'
import { thrownText } from '../../errors.ts'
import type { Sinks } from '../queue.ts'
import type { Around, Written } from './around.ts'

export type Fleet = {
  readonly name: string
  /** The settings shared by the fleet's chains. */
  readonly settings: Settings
  readonly open: (options: ChainOptions) => FleetChain
  /** Removes a chain on all members. */
  readonly remove: (chain: string) => void
  /** Registers a listener for chains that this member must open or close. */
  readonly onSession: (listener: SessionListener) => void
  /** This member's id, unique to the process. */
  readonly self: string
  /** Returns this member's status. */
  readonly status: () => MemberStatus
  readonly figures: () => FleetFigures
  /** Resolves with the status of every member; only this member's while NATS is unreachable. */
  readonly askAll: () => Promise<readonly MemberStatus[]>
  /** Members heard from recently, including this one. */
  readonly members: () => readonly string[]
  /**
   * Calls `listener` when members join or leave, leaders change, or the NATS connection is lost or
   * restored. Returns a function that removes the listener.
   */
  readonly onChange: (listener: () => void) => () => void
  readonly close: () => Promise<void>
}

export type SessionListener = { readonly open: (name: string) => void; readonly close: (name: string) => void }

const checkEveryMs = 150
const snapshotEvery = 1000

/** The process that joins; `end` is called with the reason when it can no longer be a member. */
type Process = {
  readonly log: Sinks['log']
  readonly end: (why: string) => void
  readonly measure: FleetMeasure
}

/**
 * Resolves when the fleet is reachable and its settings match. Throws `FleetUnreachable`,
 * `BadFleet` and `FleetDiffers`.
 */
export async function openFleet(
  options: FleetOptions,
  charter: Charter,
  { log, end, measure }: Process,
): Promise<Fleet> {
  const nats = await openNats(options, `chainstage ${charter.version}`)
  const { connection, subjectOf } = nats
  const settings = await patiently(() => agreeOn(nats.kv, charter)).catch(async (error: unknown) => {
    await connection.close()
    throw error
  })
  const chains = new Map<string, FleetChain>()
  let sessions: SessionListener = { open: () => {}, close: () => {} }
  const members = createMembers(nats, () =>
    Object.fromEntries(
      [...chains].flatMap(([name, { term, sequence }]) => (term() === undefined ? [] : [[name, sequence()]])),
    ),
  )
  const publish = (subject: string, value: unknown) => {
    if (!connection.isClosed()) connection.publish(subject, canonicalJson(value))
  }
  const around: Around = {
    nats,
    members,
    measure,
    snapshotEvery: options.snapshotEvery ?? snapshotEvery,
    send: (to, written) => {
      const { calls } = written
      for (const group of calls.length === 0 ? [calls] : grouped(calls, nats.entryMost)) {
        publish(subjectOf('write', to), { ...written, member: members.self, calls: group } satisfies Written)
      }
    },
    invite: (to, chain) => publish(subjectOf('open', to), { chain }),
    gone: (chain) => {
      if (chain === '') return end('the input log of the main chain has been removed from NATS')
      log('info', `session ${chain} has been removed from the fleet`)
      sessions.close(chain)
    },
    failed: end,
  }
  const hear = <Value>(subject: string, take: (value: Value) => void) =>
    connection.subscribe(subject, {
      callback: (error, message) => {
        try {
          if (!error) take(parseCanonicalJson(message.string()) as Value)
        } catch (refused) {
          log('warn', `ignored a message of the fleet: ${thrownText(refused)}`)
        }
      },
    })
  hear<Written>(subjectOf('write', members.self), (written) => chains.get(written.chain)?.receive(written))
  hear<{ chain: string }>(subjectOf('open', members.self), ({ chain }) => {
    if (!chains.has(chain)) sessions.open(chain)
  })
  hear<{ chain: string }>(subjectOf('close'), ({ chain }) => sessions.close(chain))
  const status = (withDigests = false): MemberStatus => ({
    member: members.self,
    host: hostname(),
    pid: process.pid,
    version: charter.version,
    lagMs: members.lagMs(),
    chains: [...chains].map(([name, chain]) => chainStatus(name, chain, withDigests)),
  })
  connection.subscribe(subjectOf('status'), {
    callback: (error, message) => {
      if (!error) message.respond(JSON.stringify(status(message.string() === 'digests')))
    },
  })
  const listeners = createListeners()
  const changed = createChanged(() => [
    Math.floor(members.lagMs() / 1000),
    ...members.alive(),
    ...[...chains].map(([name, { leader }]) => `${name} ${leader()?.term ?? 0}`),
  ])
  const check = () => {
    for (const chain of chains.values()) chain.check()
    if (changed()) listeners.tell()
  }
  const timer = setInterval(check, checkEveryMs)
  members.onLeave(check)
  void onReconnect(connection, () => {
    for (const chain of chains.values()) chain.resume()
  })
  return {
    name: options.name,
    settings,
    self: members.self,
    status,
    figures: () => figuresOf(members, chains),
    askAll: async () => {
      const most = members.alive().length
      const all = members.lagMs() > 0 ? [] : await askOver(connection, subjectOf('status'), { most }).catch(() => [])
      return all.some(({ member }) => member === members.self) ? all : [status()]
    },
    members: members.alive,
    onChange: listeners.add,
    onSession: (listener) => {
      sessions = listener
    },
    open: (chainOptions) => {
      const chain = openChain(around, chainOptions)
      const name = chainOptions.session
      chains.set(name, chain)
      const stop = () => {
        chain.stop()
        if (chains.get(name) === chain) chains.delete(name)
      }
      return { ...chain, queue: { ...chain.queue, stop } }
    },
    remove: (name) => {
      void chains
        .get(name)
        ?.remove()
        .catch(() => {})
      publish(subjectOf('close'), { chain: name })
    },
    close: async () => {
      clearInterval(timer)
      for (const chain of chains.values()) chain.stop()
      members.stop()
      await connection.close()
    },
  }
}

/** Returns a function that tells whether the facts have changed since its last call. */
function createChanged(facts: () => readonly (string | number)[]): () => boolean {
  let before = ''
  return () => {
    const now = facts().join('\n')
    const isChanged = now !== before
    before = now
    return isChanged
  }
}

function figuresOf(members: Members, chains: ReadonlyMap<string, FleetChain>): FleetFigures {
  const all = [...chains.values()]
  const main = chains.get('')
  return {
    members: members.alive().length,
    chains: all.length,
    leads: all.filter(({ term }) => term() !== undefined).length,
    term: main?.leader()?.term ?? 0,
    sequence: main?.sequence() ?? 0,
    behind: main?.behind() ?? 0,
    lagMs: main?.lagMs() ?? members.lagMs(),
    openWrites: all.reduce((sum, { openWrites }) => sum + openWrites(), 0),
  }
}

function chainStatus(name: string, { sequence, leader, term, shared }: FleetChain, withDigest: boolean): ChainStatus {
  const simulation = shared()
  return {
    chain: name,
    sequence: sequence(),
    leader: leader()?.member,
    term: leader()?.term,
    leads: term() !== undefined,
    height: String(simulation.node.chain.height),
    ...(withDigest ? { digest: digest(simulation) } : {}),
  }
}

/** Splits calls into messages that do not exceed the server's size limit. */
function grouped(calls: readonly Call[], most: number): readonly (readonly Call[])[] {
  const groups: Call[][] = []
  let size = Infinity
  for (const call of calls) {
    const own = aroundMost + sizeOf(call.body)
    if (size + own > most) {
      groups.push([])
      size = 0
    }
    groups.at(-1)?.push(call)
    size += own
  }
  return groups
}
