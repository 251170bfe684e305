/** Starts and stops everything: world, queue, time, listeners. */
import type { Server as HttpServer } from 'node:http'
import { createQueue, type Queue, type Sinks } from './queue.ts'
import { createHttp } from './http.ts'
import { listen } from './listen.ts'
import { createPace } from './pace.ts'
import { createSockets } from './ws.ts'
import { createWorld } from './world.ts'
import { perform } from './perform.ts'
import { createSimulation, type Simulation } from '../simulation.ts'
import type { Plan } from '../node/plan.ts'
import type { OperatorCommand } from '../node/input.ts'
import type { NodeKey } from '../node/world.ts'
import type { Settings } from '../settings/settings.ts'

export type Urls = { readonly comet: string; readonly cometWs: string; readonly eth: string; readonly ethWs: string }

export type Running = {
  readonly urls: Urls
  readonly settings: Settings
  readonly keys: readonly NodeKey[]
  readonly simulation: () => Simulation
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
  readonly log: Sinks['log']
  readonly record: Sinks['record']
}

/** Resolves when every listener is open. Throws what refuses genesis, address or port; nothing stays open then. */
export async function run(options: RunOptions): Promise<Running> {
  const { plan } = options
  const settings = options.settings.time === 'wall' && options.settings.startTimeMs === 0
    ? { ...options.settings, startTimeMs: Date.now() } : options.settings
  const { world, genesis } = createWorld(settings, options.genesis)
  const simulation = createSimulation(world, { settings, genesis, plan })
  const pace = createPace(settings.pace, () => queue.enter({ kind: 'tick' }))
  const sinks: Sinks = {
    push: (connections, text) => sockets.push(connections, text),
    close: (connection, code, reason) => sockets.close(connection, code, reason),
    log: options.log, wake: pace.wake,
    perform: (id, task) => {
      void perform(task).then((result) => queue.enter({ kind: 'performed', id, result }))
    },
    record: options.record,
  }
  const queue: Queue = createQueue({ world, simulation, nowMs: pace.nowMs, sinks })
  const current = () => queue.simulation().node.settings
  const shared = { queue, settings: current, wallSeconds: () => Math.floor(Date.now() / 1000) }
  const sockets = createSockets(shared)
  const servers: HttpServer[] = []
  const open = async (side: 'comet' | 'eth', where: string, upgrades: boolean) => {
    const server = createHttp({ side, ...shared })
    servers.push(server)
    if (upgrades) sockets.attach(server, side)
    return listen(server, where)
  }
  try {
    queue.enter({ kind: 'tick' })
    const urls = await openAll(settings, open)
    return {
      urls, settings, keys: world.keyring, simulation: queue.simulation, advance: pace.advance,
      operate: (by, command) => queue.enter({ kind: 'operator', by, command }),
      close: async () => { pace.stop(); sockets.stop(); await closeAll(servers) },
    }
  } catch (error) {
    pace.stop()
    await closeAll(servers)
    throw error
  }
}

type Open = (side: 'comet' | 'eth', where: string, upgrades: boolean) => Promise<string>

async function openAll({ rpcLaddr, ethEnable, ethAddress, ethWsAddress }: Settings, open: Open): Promise<Urls> {
  const comet: string[] = []
  for (const where of rpcLaddr.split(',').filter((each) => each !== '')) comet.push(await open('comet', where, true))
  const eth = ethEnable && ethAddress !== '' ? await open('eth', ethAddress, true) : ''
  const ethWs = ethEnable && ethWsAddress !== '' ? await open('eth', ethWsAddress, true) : ''
  const [first = ''] = comet
  return { comet: first, cometWs: first === '' ? '' : `${first.replace(/^http/, 'ws')}/websocket`, eth, ethWs: ethWs.replace(/^http/, 'ws') }
}

async function closeAll(servers: readonly HttpServer[]): Promise<void> {
  await Promise.all(servers.map((server) => new Promise<void>((done) => {
    server.close(() => done())
    server.closeAllConnections()
  })))
}
