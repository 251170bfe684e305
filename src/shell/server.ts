/** Starts and stops everything: world, queue, time, listeners. */
import type { Server as HttpServer } from 'node:http'
import type { OperatorCommand } from '../node/input.ts'
import type { NodeKey } from '../node/world.ts'
import type { Plan } from '../node/plan.ts'
import type { Player } from '../recording/playback/player.ts'
import type { Settings } from '../settings/settings.ts'
import { createSimulation, simulate, type Simulation } from '../simulation.ts'
import { createHttp, type HttpOptions } from './http.ts'
import { listen } from './listen.ts'
import { createPace } from './pace.ts'
import { createPlayback } from './playback.ts'
import { perform } from './perform.ts'
import { createQueue, type Queue, type Sinks } from './queue.ts'
import { createWorld } from './world.ts'
import { createSockets } from './ws.ts'

/** Of the first listener of each kind; '' where there is none. */
export type Urls = { readonly comet: string; readonly cometWs: string; readonly eth: string; readonly ethWs: string }

/** One open listener, and what it serves. */
export type Listener = { readonly url: string; readonly serves: 'comet' | 'eth' | 'ethWs' }

export type Running = {
  readonly urls: Urls
  readonly listeners: readonly Listener[]
  readonly settings: Settings
  readonly keys: readonly NodeKey[]
  readonly simulation: () => Simulation
  readonly enter: Queue['enter']
  /** Enters a command of an operator. */
  readonly operate: (by: string, command: OperatorCommand) => void
  /** Moves simulation time where it stands (`pace: manual`), in milliseconds. */
  readonly advance: (ms: number) => Promise<void>
  /** Closes every connection and listener. */
  readonly close: () => Promise<void>
}

export type RunOptions = {
  readonly settings: Settings
  readonly plan: Plan
  readonly genesis: string | undefined
  /** Where files that clients ask for may be written. */
  readonly home: string | undefined
  readonly log: Sinks['log']
  readonly record: Sinks['record']
  /** Answers in place of the chain. */
  readonly player?: Player
}

/** Resolves when every listener is open. Throws what refuses genesis, address or port; nothing stays open then. */
export async function run(options: RunOptions): Promise<Running> {
  const { plan } = options
  const settings = options.settings.time === 'wall' && options.settings.startTimeMs === 0
    ? { ...options.settings, startTimeMs: Date.now() } : options.settings
  const { world, genesis } = createWorld(settings, options.genesis)
  const pace = createPace(settings.pace, () => queue.enter({ kind: 'tick' }))
  const sinks: Sinks = {
    push: (connections, text) => sockets.push(connections, text),
    close: (connection, code, reason) => sockets.close(connection, code, reason),
    log: options.log, wake: pace.wake, record: options.record,
    perform: (id, task) => {
      void perform(task, options.home).then((result) => queue.enter({ kind: 'performed', id, result }))
    },
  }
  const simulation = createSimulation(world, { settings, genesis, plan })
  const { player } = options
  const queue: Queue = player === undefined
    ? createQueue({
      simulation, simulate: (before, input) => simulate(world, before, input), nowMs: pace.nowMs, sinks,
    })
    : createPlayback({ player, world, simulation, push: (...pushed) => sockets.push(...pushed) })
  const shared = {
    queue, settings: () => queue.simulation().node.settings, wallSeconds: () => Math.floor(Date.now() / 1000),
  }
  const sockets = createSockets(shared)
  const servers: HttpServer[] = []
  const close = async () => {
    pace.stop()
    sockets.stop()
    queue.stop()
    await closeAll(servers)
  }
  try {
    queue.enter({ kind: 'tick' })
    const listeners: Listener[] = []
    for (const { serves, where } of doorsOf(settings)) {
      const door: HttpOptions = { ...shared, side: serves === 'comet' ? 'comet' : 'eth', serves: serves === 'ethWs' ? 'sockets' : 'all' }
      const server = createHttp(door)
      servers.push(server)
      sockets.attach(server, door)
      listeners.push({ serves, url: await listen(server, where) })
    }
    return {
      urls: urlsOf(listeners), listeners, settings, keys: world.keyring, simulation: queue.simulation,
      enter: queue.enter, advance: pace.advance, close,
      operate: (by, command) => queue.enter({ kind: 'operator', by, command }),
    }
  } catch (error) {
    await close()
    throw error
  }
}

type Door = { readonly serves: Listener['serves']; readonly where: string }

function doorsOf({ rpcLaddr, ethEnable, ethAddress, ethWsAddress }: Settings): readonly Door[] {
  const comet = rpcLaddr.split(',').map((where) => ({ serves: 'comet', where: where.trim() } as const))
  const eth = ethEnable ? [{ serves: 'eth', where: ethAddress }, { serves: 'ethWs', where: ethWsAddress }] as const : []
  return [...comet, ...eth].filter(({ where }) => where !== '')
}

function urlsOf(listeners: readonly Listener[]): Urls {
  const first = (kind: Listener['serves']) => listeners.find(({ serves }) => serves === kind)?.url ?? ''
  const socket = (url: string) => url.replace(/^http/, 'ws')
  const comet = first('comet')
  return {
    comet, cometWs: comet === '' ? '' : `${socket(comet)}/websocket`, eth: first('eth'), ethWs: socket(first('ethWs')),
  }
}

async function closeAll(servers: readonly HttpServer[]): Promise<void> {
  await Promise.all(servers.map((server) => new Promise<void>((done) => {
    server.close(() => done())
    server.closeAllConnections()
  })))
}
