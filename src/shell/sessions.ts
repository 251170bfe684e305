/**
 * Sessions: chains beside the main chain, each a fork of the same genesis with its own clock,
 * faults, journal and subscriptions. The path `/s/NAME/` on every port selects a session. Sessions
 * share values until they change, so only changes use memory.
 */
import type { IncomingMessage } from 'node:http'
import { SimError } from '../errors.ts'
import type { Settings } from '../settings/settings.ts'
import { isCrossSite } from './transport/hosts.ts'
import { isPlainName, plainNameHint } from './plainName.ts'
import type { Sinks } from './queue.ts'
import type { Instance } from './ports.ts'

export type Sessions = {
  /** Returns a session, and creates it on first use. Throws `BadSession`, also after `stop`. */
  readonly at: (name: string) => Instance
  /** Returns an existing session; '' is the main chain. */
  readonly find: (name: string) => Instance | undefined
  /** Creates a session with an unused name. Throws `BadSession`, also after `stop`. */
  readonly lease: () => Instance
  /**
   * Ends a session with its connections; returns whether it existed. With `only`, a later session of
   * the same name stays.
   */
  readonly release: (name: string, only?: Instance) => boolean
  /** Ends a session in this process only; other members of the fleet keep it. */
  readonly leave: (name: string) => void
  readonly list: () => readonly Instance[]
  readonly stop: (code?: number) => void
}

export type SessionOptions = {
  readonly main: Instance
  /** Returns the chain of a new session. */
  readonly fork: (name: string) => Instance
  /** The maximum number of sessions at a time. */
  readonly most: number
  /** Time after which unused sessions are removed, in milliseconds; 0 keeps them. */
  readonly expiryMs: number
  readonly log: Sinks['log']
  /** Called when a session is released. */
  readonly onEnd?: (name: string) => void
  /** The id of this process in its fleet: generated names contain a part of it. */
  readonly member?: string
}

/** The longest interval between two searches for expired sessions. */
const sweepMostMs = 60_000

/** The length of the part of a member's id in generated names. */
const memberLength = 8

/** Returns the sessions beside a main chain. */
export function createSessions(options: SessionOptions): Sessions {
  const { main, fork, most, expiryMs, log, onEnd = () => {} } = options
  const prefix = prefixOf(options.member)
  const all = new Map<string, Instance>()
  let leased = 0
  let isStopped = false
  const sweeping =
    expiryMs === 0 ? undefined : setInterval(sweep, Math.min(Math.ceil(expiryMs / 4), sweepMostMs)).unref()

  function at(name: string): Instance {
    const there = all.get(name)
    if (there !== undefined) return there
    if (isStopped) throw new BadSession('expected a running server, but it was stopped', 'Start a server again first.')
    if (!isPlainName(name)) {
      throw new BadSession(`expected a session name like test-1, received ${JSON.stringify(name)}`, plainNameHint)
    }
    if (all.size >= most) {
      throw new BadSession(
        `all ${most} sessions are in use`,
        'Release sessions that are no longer needed, or raise --max-sessions.',
      )
    }
    const made = fork(name)
    all.set(name, made)
    return made
  }

  function lease(): Instance {
    do leased += 1
    while (all.has(`${prefix}${leased}`))
    return at(`${prefix}${leased}`)
  }

  function release(name: string, only?: Instance): boolean {
    if (only !== undefined && all.get(name) !== only) return false
    if (all.has(name)) onEnd(name)
    return leave(name)
  }

  function leave(name: string): boolean {
    all.get(name)?.stop()
    return all.delete(name)
  }

  function sweep(): void {
    for (const [name, { idleMs, leads }] of all) {
      if (idleMs() < expiryMs) continue
      if (leads()) {
        release(name)
        log('info', `session ${name} expired: it was unused for ${expiryMs / 1000} s`)
      } else leave(name)
    }
  }

  return {
    at,
    lease,
    release,
    leave,
    find: (name) => (name === '' ? main : all.get(name)),
    list: () => [...all.values()],
    stop: (code) => {
      isStopped = true
      clearInterval(sweeping)
      for (const one of all.values()) one.stop(code)
      all.clear()
    },
  }
}

/** Returns the start of generated names. Every member of a fleet counts its own, and all share the sessions. */
function prefixOf(member: string | undefined): string {
  return member === undefined ? 'lease-' : `lease-${member.slice(0, memberLength)}-`
}

/**
 * Returns the session that a request names. A POST or a WebSocket creates the session, unless it
 * comes from a page of another site. A GET does not, because a link or an image on any page can
 * cause one. Throws `BadSession`.
 */
export function sessionFor(
  sessions: Sessions,
  name: string,
  {
    request,
    opensSocket,
    settings,
  }: {
    readonly request: Pick<IncomingMessage, 'method' | 'headers'>
    readonly opensSocket: boolean
    readonly settings: Settings
  },
): Instance {
  const there = name === '' ? undefined : sessions.find(name)
  if (there !== undefined) return there
  if (!opensSocket && request.method !== 'POST') {
    throw new BadSession(
      `there is no session ${JSON.stringify(name)}`,
      'Send a POST request or open a WebSocket to create it.',
    )
  }
  if (isCrossSite(request.headers, settings)) {
    throw new BadSession(
      `a page of another origin may not create session ${JSON.stringify(name)}`,
      'Allow its origin with --allowed-origins.',
    )
  }
  return sessions.at(name)
}

/** Removes `/s/NAME` from the path of a request and returns the name; undefined without one. */
export function takeSession(request: Pick<IncomingMessage, 'url'>): string | undefined {
  const match = /^\/s\/([^/?]+)(.*)$/s.exec(request.url ?? '')
  if (match === null) return undefined
  const [, name = '', rest = ''] = match
  request.url = rest.startsWith('/') ? rest : `/${rest}`
  return name
}

/** A session does not exist and cannot be created. */
export class BadSession extends SimError {
  /** The body of the response to a request for it. */
  readonly text: string

  constructor(message: string, hint: string) {
    super('BAD_SESSION', message, { hint })
    this.text = `${message}. ${hint}\n`
  }
}
