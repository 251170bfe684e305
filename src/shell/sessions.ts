/**
 * Sessions: chains beside the main one, each a fork of the same genesis with its own clock, faults,
 * journal and subscriptions. `/s/NAME/` on every port leads to one. Values are shared until they
 * change, so a session costs what it does, not what it begins with.
 */
import type { IncomingMessage } from 'node:http'
import { SimError } from '../errors.ts'
import type { Instance } from './instance.ts'
import { isPlainName, plainNameHint } from './plainName.ts'

export type Sessions = {
  /** Returns a session; the first use of a name begins it. Throws `BadSession`. */
  readonly at: (name: string) => Instance
  /** Returns a session that there is, '' being the main chain. */
  readonly find: (name: string) => Instance | undefined
  /** Begins a session with a name that nobody uses. */
  readonly lease: () => Instance
  /** Ends a session with its connections; returns whether there was one. */
  readonly release: (name: string) => boolean
  readonly list: () => readonly Instance[]
  readonly stop: (code?: number) => void
}

const sessionsMost = 10_000

/** Returns the sessions beside a main chain; `fork` makes a new one. */
export function createSessions(main: Instance, fork: (name: string) => Instance): Sessions {
  const all = new Map<string, Instance>()
  let leased = 0

  function at(name: string): Instance {
    const there = all.get(name)
    if (there !== undefined) return there
    if (!isPlainName(name)) {
      throw new BadSession(`expected a session name like test-1, received ${JSON.stringify(name)}`,
        plainNameHint)
    }
    if (all.size >= sessionsMost) {
      throw new BadSession(
        `there are ${sessionsMost} sessions already`, 'Release those that are done.'
      )
    }
    const made = fork(name)
    all.set(name, made)
    return made
  }

  function lease(): Instance {
    do leased += 1; while (all.has(`lease-${leased}`))
    return at(`lease-${leased}`)
  }

  return {
    at, lease,
    find: (name) => (name === '' ? main : all.get(name)),
    release: (name) => {
      all.get(name)?.stop()
      return all.delete(name)
    },
    list: () => [...all.values()],
    stop: (code) => {
      for (const one of all.values()) one.stop(code)
      all.clear()
    },
  }
}

/** Takes `/s/NAME` off the path of a request and returns the name; undefined for the main chain. */
export function takeSession(request: IncomingMessage): string | undefined {
  const match = /^\/s\/([^/?]+)(.*)$/s.exec(request.url ?? '')
  if (match === null) return undefined
  const [, name = '', rest = ''] = match
  request.url = rest.startsWith('/') ? rest : `/${rest}`
  return name
}

/** A session that cannot be begun. */
export class BadSession extends SimError {
  constructor(message: string, hint: string) {
    super('BAD_SESSION', message, { hint })
  }
}
