/** The in-process API: `start` returns a running chain with its URLs and controls. */
import { longestTimerMs } from './pace.ts'
import type { NodeKey } from '../node/world.ts'
import { profileSettings } from '../settings/profiles.ts'
import type { Settings } from '../settings/settings.ts'
import {
  callback,
  checkArguments,
  matching,
  optional,
  options as object,
  port,
  settings as anySettings,
  text,
  textByName,
  texts,
  whole,
  type Check,
} from './arguments.ts'
import { assertBesideGenesis, settingsOfGenesis } from './config/besideGenesis.ts'
import { settingsToContinue } from './continuing.ts'
import { handleOf, type Handle } from './handle.ts'
import { loadScenario } from './scenarios/scenarioFiles.ts'
import type { ForkChoice } from './fork/openFork.ts'
import { run } from './server.ts'
import type { Sinks } from './queue.ts'
import type { Simulation } from '../simulation/turn.ts'
import { noPlan } from '../plan/plan.ts'

/** Options of `start`; all are optional. */
export type StartOptions = {
  /** Path of a scenario file. */
  readonly scenario?: string
  /** Settings that override those of the scenario and its profile. */
  readonly settings?: Partial<Settings>
  /** Values of variables that the scenario declares. */
  readonly vars?: Readonly<Record<string, string>>
  /** Where to listen on 127.0.0.1 (default: the addresses of the settings). */
  readonly ports?: Ports
  /** Text of a genesis document (default: that of the profile). */
  readonly genesis?: string
  /** Path of a state file to continue from; `save` writes one. */
  readonly state?: string
  /**
   * The chain to fork: URLs of a node, or the path of a recording of level `fork`. Its ids, genesis time, base fee
   * and gas limit replace those in `settings`.
   */
  readonly fork?: ForkChoice
  /** Receives each line of the log. Nothing is printed. */
  readonly log?: Sinks['log']
}

/**
 * `free` opens every listener on a free port; `none` opens no listener. An object opens the
 * listeners that it names; port 0 is any free port.
 */
export type Ports =
  | 'free'
  | 'none'
  | {
      readonly comet?: number
      readonly eth?: number
      readonly ethWs?: number
      readonly rest?: number
      readonly grpc?: number
      readonly control?: number
      readonly metrics?: number
    }

/** The main chain of a process. */
export type Server = Handle & {
  readonly settings: Settings
  /** The funded accounts with their keys. */
  readonly keys: readonly NodeKey[]
  /** Opens a session: a chain at the same genesis (default: with a new name). */
  readonly session: (name?: string) => Session
  /** Closes all listeners and sessions. */
  readonly close: () => Promise<void>
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

/** A chain beside the main chain, on the same ports under `/s/NAME`. */
export type Session = Handle & {
  readonly name: string
  readonly close: () => Promise<void>
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

const portNumbers = object({
  comet: optional(port),
  eth: optional(port),
  ethWs: optional(port),
  rest: optional(port),
  grpc: optional(port),
  control: optional(port),
  metrics: optional(port),
})
const ports: Check = (given, where) => {
  if (typeof given === 'object') return portNumbers(given, where)
  matching("'free', 'none' or an object of ports", (one) => one === 'free' || one === 'none')(given, where)
}

const eachOption = object({
  scenario: optional(text),
  settings: optional(anySettings),
  vars: optional(textByName),
  ports: optional(ports),
  genesis: optional(text),
  state: optional(text),
  log: optional(callback),
  fork: optional(
    object({
      from: texts,
      timeoutMs: optional(whole('milliseconds', 1, longestTimerMs)),
      height: optional(
        matching('a height, a bigint of 1 or more', (height) => typeof height === 'bigint' && height > 0n),
      ),
    }),
  ),
})

const varsAlone = matching('options.scenario beside it', () => false)
const besideFork = matching('nothing beside options.fork, which brings its own', () => false)

/** A check of the options of `start` and of the hooks and fixtures for test runners. */
export const startOptions: Check = (given, where) => {
  eachOption(given, where)
  const { scenario, vars, fork, genesis } = given as StartOptions
  if (scenario === undefined && Object.keys(vars ?? {}).length > 0) varsAlone(vars, `${where}.vars`)
  if (fork !== undefined && genesis !== undefined) besideFork(genesis, `${where}.genesis`)
}

/** Starts a chain and resolves when it serves. Rejects with `SimError`; `hint` gives a remedy. */
export async function start(options: StartOptions = {}): Promise<Server> {
  checkArguments('start', { options: [options, startOptions] })
  const given = { ...options.settings, ...addressesOf(options.ports) }
  const { seed, mnemonic } = given
  const compiled =
    options.scenario === undefined
      ? undefined
      : await loadScenario(options.scenario, { vars: new Map(Object.entries(options.vars ?? {})), seed, mnemonic })
  const profile = given.profile ?? compiled?.settings.profile ?? 'local'
  if (options.fork === undefined) {
    assertBesideGenesis({ given: () => given, document: options.genesis, profile }, (name) => `settings.${name}`)
  }
  const chosen: Settings = {
    ...profileSettings(profile),
    ...compiled?.settings,
    ...given,
    ...settingsOfGenesis(options.genesis),
    profile,
  }
  const state = options.state === undefined ? undefined : await (await import('./stateFile.ts')).stateAt(options.state)
  const fork = options.fork === undefined ? undefined : await forkOf(options.fork, chosen, state)
  const settings = { ...chosen, ...fork?.settings }
  const running = await run({
    settings,
    plan: compiled?.plan ?? noPlan,
    genesis: fork?.genesis ?? options.genesis,
    log: options.log ?? (() => {}),
    ...(fork === undefined ? {} : { forking: fork.forking }),
    ...(compiled === undefined ? {} : { artifacts: () => compiled.files }),
    record: () => {},
    home: undefined,
    state,
  })
  const { main, sessions, urlsOf, keys, close } = running
  return Object.assign(
    handleOf(main, () => urlsOf('')),
    {
      keys,
      settings: running.settings,
      close,
      [Symbol.asyncDispose]: close,
      session: (name?: string): Session => {
        checkArguments('chain.session', { name: [name, optional(text)] })
        const instance = name === undefined ? sessions.lease() : sessions.at(name)
        const release = async () => {
          sessions.release(instance.session, instance)
        }
        return Object.assign(
          handleOf(instance, () => urlsOf(instance.session)),
          {
            name: instance.session,
            close: release,
            [Symbol.asyncDispose]: release,
          },
        )
      },
    },
  )
}

/** Opens the chain to fork. A saved fork continues at its own height, because the other chain has moved on. */
async function forkOf({ height, ...choice }: ForkChoice, settings: Settings, saved: Simulation | undefined) {
  const { openFork } = await import('./fork/openFork.ts')
  const from = height ?? saved?.node.chain.genesis.fork?.height
  return openFork({ ...choice, height: from }, settingsToContinue(settings, saved?.node).settings)
}

function addressesOf(ports: Ports | undefined): Partial<Settings> {
  if (ports === undefined) return {}
  const numbers =
    ports === 'free'
      ? { comet: 0, eth: 0, ethWs: 0, rest: 0, grpc: 0, control: 0, metrics: 0 }
      : ports === 'none'
        ? {}
        : ports
  const at = (port: number | undefined) => (port === undefined ? '' : `127.0.0.1:${port}`)
  const comet = at(numbers.comet)
  return {
    rpcLaddr: comet === '' ? '' : `tcp://${comet}`,
    ethAddress: at(numbers.eth),
    ethWsAddress: at(numbers.ethWs),
    apiAddress: at(numbers.rest),
    grpcAddress: at(numbers.grpc),
    controlAddress: at(numbers.control),
    prometheusAddress: at(numbers.metrics),
  }
}
