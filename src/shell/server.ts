/** Starts and stops everything: world, queue, time, listeners. */
import type { Server as HttpServer } from 'node:http'
import { randomUUID } from 'node:crypto'
import type { NodeKey } from '../node/world.ts'
import type { Plan } from '../node/plan.ts'
import { firstBlock } from './fork/firstBlock.ts'
import { assertNothingMissed } from './fork/fixturesOnFork.ts'
import { forkedApart } from './fork/forkedApart.ts'
import type { Forking } from './fork/forking.ts'
import type { Playing } from './playback.ts'
import type { Settings } from '../settings/settings.ts'
import { createSimulation, type Simulation } from '../simulation.ts'
import { createAbis } from './control/abis.ts'
import type { Controlled } from './control/controlled.ts'
import { assertLoopback, createControl } from './control/server.ts'
import { createDoors } from './doors.ts'
import type { Exchange } from './exchanges.ts'
import { createHttp, type HttpOptions } from './http.ts'
import { createInstance, type Instance } from './instance.ts'
import { listen } from './listen.ts'
import { createProblems, type Problems } from './problems.ts'
import type { Queue, Sinks } from './queue.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { readTls } from './tls.ts'
import { createWorld } from './world.ts'
import { attachSockets } from './ws.ts'

/** Of the first listener of each kind; '' where there is none. */
export type Urls = {
  readonly comet: string
  readonly cometWs: string
  readonly eth: string
  readonly ethWs: string
  readonly control: string
}

/** One open listener, and what it serves. */
export type Listener = {
  readonly url: string; readonly serves: 'comet' | 'eth' | 'ethWs' | 'control'
}

export type Running = {
  readonly urls: Urls
  /** The addresses of a session. */
  readonly urlsOf: (session: string) => Urls
  readonly listeners: readonly Listener[]
  readonly settings: Settings
  readonly keys: readonly NodeKey[]
  readonly simulation: () => Simulation
  readonly enter: Queue['enter']
  /** Enters a command of an operator. */
  readonly operate: Instance['operate']
  readonly main: Instance
  readonly sessions: Sessions
  /** What is wrong with saved files right now; the dashboard shows it. */
  readonly problems: Problems
  /** Moves simulation time where it stands (`pace: manual`), in milliseconds. */
  readonly advance: (ms: number) => Promise<void>
  /** Closes every connection and listener; with a code, WebSockets are told it. */
  readonly close: (code?: number) => Promise<void>
}

export type RunOptions = {
  readonly settings: Settings
  readonly plan: Plan
  readonly genesis: string | undefined
  /** Where files that clients ask for may be written. */
  readonly home: string | undefined
  readonly log: Sinks['log']
  readonly record: Sinks['record']
  /** Whether `record` writes a recording. */
  readonly isRecorded?: boolean
  /**
   * Takes the saved scenario in again, or the set before; and every answer says which generation it
   * is of.
   */
  readonly reload?: Controlled['reload']
  /** Which generation of the scenario it begins with. */
  readonly generation?: number
  /** A saved simulation to go on from. */
  readonly state?: Simulation | undefined
  /** The files of the scenario that is followed, by path: ABIs among them name logs. */
  readonly artifacts?: () => ReadonlyMap<string, string>
  /** Ends the process when the control port is asked to. */
  readonly stop?: () => void
  /** Answers in place of the chain. */
  readonly playing?: Playing
  /** Told of every request that is answered. */
  readonly onAnswer?: (exchange: Exchange) => void
  /** The chain that this one goes on from. */
  readonly forking?: Forking
}

const noFiles: ReadonlyMap<string, string> = new Map()

/**
 * Resolves when every listener is open. Throws what refuses genesis, address or port; nothing stays
 * open then.
 */
export async function run(options: RunOptions): Promise<Running> {
  const { plan } = options
  const settings = options.settings.time === 'wall' && options.settings.startTimeMs === 0
    ? { ...options.settings, startTimeMs: Date.now() } : options.settings
  const { world, genesis } = createWorld(settings, options.genesis)
  const first = createSimulation(
    world, { settings, genesis, plan, generation: options.generation ?? 1 }
  )
  assertNothingMissed(first)
  const doors = createDoors((error) => options.log('error', error.message))
  const main = createInstance({ ...options, session: '', world, first, listen: doors.close })
  if (options.state !== undefined) main.become(options.state)
  if (options.forking !== undefined) await firstBlock(main)
  const { queue, sockets } = main
  const sessions = createSessions(main, (name) =>
    createInstance(
      { ...options, session: name, world, first: forkedApart(first), record: () => {} }
    ))
  const shared = {
    queue, settings: () => queue.simulation().node.settings,
    wallSeconds: () => Math.floor(Date.now() / 1000),
    session: sessions.at, tellsGeneration: options.reload !== undefined,
  }
  const servers: HttpServer[] = []
  const listeners: Listener[] = []
  const problems = createProblems()
  const abis = createAbis(options.artifacts ?? (() => noFiles))
  const controlledOf = (): Controlled => ({
    main, sessions, abis, version: world.version, instanceId: randomUUID(), pid: process.pid,
    urls: (session) => urlsOf(listeners, session), problems: problems.list,
    onProblem: problems.onChange,
    ...(options.reload === undefined ? {} : { reload: options.reload }),
    stop: () => {
      setImmediate(options.stop ?? (() => {}))
      return { stopping: options.stop !== undefined }
    },
  })
  const close = async (code?: number) => {
    main.stop(code)
    sessions.stop(code)
    await closeAll(servers)
  }
  try {
    if (settings.controlAddress !== '') assertLoopback(settings)
    const tls = await readTls(settings, options.home)
    for (const { serves, where } of doorsOf(settings)) {
      const side = serves === 'comet' ? { side: 'comet', tls } as const : { side: 'eth' } as const
      const door: HttpOptions = {
        ...shared, ...side, serves: serves === 'ethWs' ? 'sockets' : 'all',
      }
      const server = createHttp(door)
      servers.push(server)
      attachSockets(server, door, sockets)
      listeners.push({ serves, url: await listen(server, where) })
      doors.add(serves, server)
    }
    if (settings.controlAddress !== '') {
      const server = createControl(controlledOf(), shared.settings)
      servers.push(server)
      listeners.push({ serves: 'control', url: await listen(server, settings.controlAddress) })
    }
    return {
      urls: urlsOf(listeners), urlsOf: (session) => urlsOf(listeners, session), listeners, problems,
      settings, keys: world.keyring, simulation: queue.simulation,
      enter: queue.enter, advance: main.advance, operate: main.operate, close, main, sessions,
    }
  } catch (error) {
    await close()
    throw error
  }
}

type Door = { readonly serves: 'comet' | 'eth' | 'ethWs'; readonly where: string }

/** Interface B has nothing to serve where the application has no EVM. */
function doorsOf(
  { rpcLaddr, ethEnable, ethAddress, ethWsAddress, application }: Settings,
): readonly Door[] {
  const comet = rpcLaddr.split(',')
    .map((where) => ({ serves: 'comet', where: where.trim() } as const))
  const hasEth = ethEnable && application === 'evmd'
  const eth = hasEth
    ? [{ serves: 'eth', where: ethAddress }, { serves: 'ethWs', where: ethWsAddress }] as const
    : []
  return [...comet, ...eth].filter(({ where }) => where !== '')
}

/** Returns the addresses of a chain; a session's lie below those of the main one. */
function urlsOf(listeners: readonly Listener[], session = ''): Urls {
  const below = session === '' ? '' : `/s/${session}`
  const first = (kind: Listener['serves'], path = '') => {
    const url = listeners.find(({ serves }) => serves === kind)?.url
    return url === undefined ? '' : `${url}${below}${path}`
  }
  const socket = (url: string) => url.replace(/^http/, 'ws')
  return {
    comet: first('comet'), cometWs: socket(first('comet', '/websocket')),
    eth: first('eth'), ethWs: socket(first('ethWs')), control: first('control'),
  }
}

async function closeAll(servers: readonly HttpServer[]): Promise<void> {
  await Promise.all(servers.map((server) => new Promise<void>((done) => {
    server.close(() => done())
    server.closeAllConnections()
  })))
}
