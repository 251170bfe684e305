/** The in-process API: `start` gives a running chain with its URLs and controls. */
import { noFixtures } from '../node/fixtures.ts'
import type { NodeKey } from '../node/world.ts'
import type { Plan } from '../node/plan.ts'
import { profileSettings } from '../settings/profiles.ts'
import type { Settings } from '../settings/settings.ts'
import { handleOf, type Handle } from './handle.ts'
import { loadScenario } from './scenarioFiles.ts'
import { openFork, type ForkChoice } from './fork/openFork.ts'
import { run } from './server.ts'
import { stateAt } from './stateFile.ts'
import type { Sinks } from './queue.ts'

/** `scenario` is the path of a scenario file; `settings` override what it and its profile say. */
export type StartOptions = {
  readonly scenario?: string
  readonly settings?: Partial<Settings>
  /** Values for vars that the scenario declares. */
  readonly vars?: Readonly<Record<string, string>>
  /** Where to listen on 127.0.0.1; without it, the addresses that the settings say. */
  readonly ports?: Ports
  /** Text of a genesis document, instead of the one of the profile. */
  readonly genesis?: string
  /** A state file to go on from; `save` writes one. */
  readonly state?: string
  /** Another chain to go on from: URLs of a node, or the path of a recording of level `fork`. */
  readonly fork?: ForkChoice
  /** Told what the log would say; nothing is printed. */
  readonly log?: Sinks['log']
}

/**
 * `free` opens every listener on any free port, `none` opens none; of an object, those it names (0:
 * any).
 */
export type Ports = 'free' | 'none' | {
  readonly comet?: number
  readonly eth?: number
  readonly ethWs?: number
  readonly control?: number
}

export type Server = Handle & {
  readonly settings: Settings
  readonly keys: readonly NodeKey[]
  /** A chain beside this one, a fork of its genesis, of a new name unless one is given. */
  readonly session: (name?: string) => Session
  readonly close: () => Promise<void>
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

export type Session = Handle & {
  readonly name: string
  readonly close: () => Promise<void>
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

/** What is followed without a scenario: nothing. */
export const noPlan: Plan = {
  name: 'none', description: '', digest: '', seed: 'chainstage', fixtures: noFixtures, faults: [],
  steps: [], timeoutMs: 0n,
}

/** Resolves with a chain that serves. Throws `SimError` with advice when it cannot. */
export async function start(options: StartOptions = {}): Promise<Server> {
  const given = { ...options.settings, ...addressesOf(options.ports) }
  const { seed, mnemonic } = given
  const compiled = options.scenario === undefined ? undefined
    : await loadScenario(
      options.scenario, { vars: new Map(Object.entries(options.vars ?? {})), seed, mnemonic }
    )
  const profile = given.profile ?? compiled?.settings.profile ?? 'local'
  const chosen: Settings = { ...profileSettings(profile), ...compiled?.settings, ...given, profile }
  const fork = options.fork === undefined ? undefined : await openFork(options.fork, chosen)
  const settings = { ...chosen, ...fork?.settings }
  const running = await run({
    settings, plan: compiled?.plan ?? noPlan, genesis: fork?.genesis ?? options.genesis,
    log: options.log ?? (() => {}),
    ...(fork === undefined ? {} : { forking: fork.forking }),
    ...(compiled === undefined ? {} : { artifacts: () => compiled.files }),
    record: () => {}, home: undefined,
    state: options.state === undefined ? undefined : await stateAt(options.state),
  })
  const { main, sessions, urlsOf, keys, close } = running
  return Object.assign(handleOf(main, () => urlsOf('')), {
    keys, settings: running.settings, close, [Symbol.asyncDispose]: close,
    session: (name?: string): Session => {
      const instance = name === undefined ? sessions.lease() : sessions.at(name)
      const release = async () => { sessions.release(instance.session) }
      return Object.assign(handleOf(instance, () => urlsOf(instance.session)), {
        name: instance.session, close: release, [Symbol.asyncDispose]: release,
      })
    },
  })
}

function addressesOf(ports: Ports | undefined): Partial<Settings> {
  if (ports === undefined) return {}
  const numbers = ports === 'free'
    ? { comet: 0, eth: 0, ethWs: 0, control: 0 }
    : ports === 'none'
    ? {}
    : ports
  const at = (port: number | undefined) => (port === undefined ? '' : `127.0.0.1:${port}`)
  const comet = at(numbers.comet)
  return {
    rpcLaddr: comet === '' ? '' : `tcp://${comet}`, ethAddress: at(numbers.eth),
    ethWsAddress: at(numbers.ethWs),
    controlAddress: at(numbers.control),
  }
}
