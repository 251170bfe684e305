/** Real NATS servers, and processes of chainstage that share a chain through them. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { askMembers, type MemberStatus } from '../../src/shell/fleet/status.ts'
import { freePorts, startCli, type Started } from './cli.ts'
import { unusedPorts } from './unusedPorts.ts'

/** Why tests of fleets are skipped here; undefined where they run. */
export const noNats =
  spawnSync('nats-server', ['--version']).status === 0
    ? undefined
    : 'nats-server is not installed: apt-get install nats-server'

export type NatsServer = {
  readonly url: string
  readonly port: number
  /** Ends it at once; `start` brings it back with what it stored. */
  readonly kill: () => Promise<void>
  readonly start: () => Promise<void>
  readonly remove: () => Promise<void>
}

/** Resolves with a server that keeps its streams in a folder of its own; `words` come after. */
export async function startNats(words: readonly string[] = [], given?: number): Promise<NatsServer> {
  const [free = 0] = await unusedPorts(1)
  const port = given ?? free
  const folder = mkdtempSync(join(tmpdir(), 'chainstage-nats-'))
  let child: ChildProcess | undefined
  const start = async () => {
    child = spawn('nats-server', ['-js', '-sd', folder, '-a', '127.0.0.1', '-p', String(port), ...words], {
      stdio: 'ignore',
    })
    await listens(port)
  }
  const kill = async () => {
    const running = child
    child = undefined
    const ended = running === undefined ? undefined : once(running, 'exit')
    running?.kill('SIGKILL')
    await ended
  }
  await start()
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    kill,
    start,
    remove: async () => {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Resolves with three servers that form a cluster and have elected who keeps its streams. */
export async function startCluster(): Promise<readonly NatsServer[]> {
  const ports = await unusedPorts(6)
  const routes = ports.slice(3).map((port) => `nats://127.0.0.1:${port}`)
  const servers = await Promise.all(
    routes.map((route, place) =>
      startNats(
        ['--server_name', `n${place}`, '--cluster_name', 'c', '--cluster', route, '--routes', routes.join(',')],
        ports[place],
      ),
    ),
  )
  await delay(4000)
  return servers
}

async function listens(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await new Promise<boolean>((done) => {
      socket.once('connect', () => done(true))
      socket.once('error', () => done(false))
    })
    socket.destroy()
    if (isOpen) return
    await delay(30)
  }
}

export type Member = {
  readonly started: Started
  readonly eth: string
  readonly ethWs: string
  readonly comet: string
  readonly control: string
  readonly metrics: string
  readonly rest: string
  readonly grpc: string
  readonly pid: number
  readonly kill: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Resolves with a process that has joined a fleet and serves. */
export async function startMember(url: string, name: string, words: readonly string[] = []): Promise<Member> {
  const started = startCli(['start', '--fleet', url, '--fleet-name', name, '--json', ...freePorts, ...words])
  const [line] = await started.says(/^\{"chainstage".*$/m)
  const { urls } = JSON.parse(line) as { urls: Omit<Member, 'started' | 'pid' | 'kill' | 'stop'> }
  const end = async (signal: NodeJS.Signals) => {
    started.process.kill(signal)
    await started.ended
  }
  return {
    started,
    ...urls,
    pid: started.process.pid ?? 0,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}

/** Resolves with what the members of a fleet say. */
export function statusOf(url: string, name: string, withDigests = true): Promise<readonly MemberStatus[]> {
  return askMembers({ servers: url.split(','), name }, withDigests)
}

/** Resolves with the digest and number that all of so many members have come to. */
export async function agreement(url: string, name: string, count: number): Promise<string> {
  for (let tries = 0; tries < 30; tries += 1) {
    const all = await statusOf(url, name)
    const said = new Set(
      all.map(({ chains }) => {
        const main = chains.find(({ chain }) => chain === '')
        return `${main?.sequence} ${main?.digest}`
      }),
    )
    const [only] = said
    if (all.length === count && said.size === 1 && only !== undefined) return only
    await delay(200)
  }
  throw new Error(`the members do not agree: ${JSON.stringify(await statusOf(url, name))}`)
}
