/** A whole simulation over the smallest application, asked through Ethereum JSON-RPC without sockets. */
import { noFixtures } from '../../src/plan/fixtures.ts'
import { createHash } from 'node:crypto'
import { createRandom } from '../../src/data/random.ts'
import type { NodeCommand } from '../../src/node/command.ts'
import type { Input, InputBody } from '../../src/plan/input.ts'
import type { Output } from '../../src/node/output.ts'
import type { Plan } from '../../src/plan/plan.ts'
import type { World } from '../../src/node/world.ts'
import { createWorld, type WorldOrigin } from '../../src/shell/world.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import type { Settings } from '../../src/settings/settings.ts'
import { createSimulation } from '../../src/simulation.ts'
import { simulateWatched } from './tripwire.ts'
import { stub } from './ethStub.ts'
import { kvChain } from './kvChain.ts'
import type { Simulation } from '../../src/simulation/turn.ts'
import type { Retention } from '../../src/chain/history.ts'
import { requestWith } from './requests.ts'

const plan: Plan = {
  name: '',
  description: '',
  digest: '',
  seed: '',
  fixtures: noFixtures,
  faults: [],
  steps: [],
  timeoutMs: 0n,
}

export type Reply = {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

/** Asks a chain that runs; `timeMs` of the simulation moves with `tick`. */
export type Asked = {
  readonly call: (method: string, ...params: unknown[]) => Reply
  /** Sends any text over HTTP; what leaves is returned as it is. */
  readonly send: (body: string) => readonly Output[]
  readonly over: (connection: number, body: string) => readonly string[]
  readonly tick: (ms: number) => readonly string[]
  /** All that leaves with a tick. */
  readonly outputs: (ms: number) => readonly Output[]
  readonly command: (command: NodeCommand) => readonly Output[]
  /** Asks CometBFT RPC. */
  readonly comet: (method: string, params: object) => readonly Output[]
  /** Asks CometBFT RPC with a GET. */
  readonly get: (target: string) => readonly Output[]
  /** Asks the REST API with a GET and returns the body of the response. */
  readonly rest: (target: string, headers?: Readonly<Record<string, string>>) => string
  readonly simulation: () => Simulation
  /** Goes on with another simulation of the same chain. */
  readonly become: (simulation: Simulation) => void
}

/**
 * Returns a chain over the smallest application, profile `local`, that makes no blocks by itself.
 */
export function ethSimulation(changed: Partial<Settings> = {}): Asked {
  const { world: kv, chain } = kvChain()
  const random = createRandom(
    new Uint8Array(32),
    (bytes) => new Uint8Array(createHash('sha256').update(bytes).digest()),
  )
  const world = { ...kv, ...stub().world, random } as World
  const settings: Settings = { ...profileSettings('local'), blocks: 'manual', readSlice: 0, ...changed }
  return asked({ world, genesis: chain.genesis }, settings)
}

const origins = new Map<string, WorldOrigin>()

/** Returns a whole chain of the profile `local`: the real application, its accounts, automine. */
export function localSimulation(changed: Partial<Settings> = {}, retention: Partial<Retention> = {}): Asked {
  // Nothing performs what leaves: reads are answered at once.
  const settings: Settings = { ...profileSettings('local'), readSlice: 0, ...changed }
  const key = JSON.stringify(changed)
  const origin = origins.get(key) ?? createWorld(settings)
  origins.set(key, origin)
  const { world, genesis } = origin
  return asked({ world: { ...world, retention: { ...world.retention, ...retention } }, genesis }, settings)
}

function asked({ world, genesis }: WorldOrigin, settings: Settings): Asked {
  let simulation = createSimulation(world, { settings, genesis, plan })
  let timeMs = 0n
  let seq = 0
  const enter = (body: InputBody): readonly Output[] => {
    const input: Input = { ...body, seq: ++seq, timeMs, session: '' }
    const done = simulateWatched(world, simulation, input)
    simulation = done.simulation
    return done.outputs
  }
  const request = (
    transport: 'http' | 'ws',
    body: string,
    connection: number | undefined,
    side: 'comet' | 'eth' = 'eth',
    target?: string,
  ): readonly Output[] =>
    enter(
      requestWith({
        side,
        transport,
        verb: target === undefined ? 'POST' : 'GET',
        target: target ?? '/',
        connection,
        body,
      }),
    )
  const tick = (ms: number) => {
    timeMs += BigInt(ms)
    return enter({ kind: 'tick' })
  }
  const textsOf = (outputs: readonly Output[]): readonly string[] =>
    outputs.flatMap((output) =>
      output.kind === 'reply'
        ? [output.body]
        : output.kind === 'push' || output.kind === 'broadcast'
          ? [output.text]
          : [],
    )
  return {
    call: (method, ...params) => {
      const outputs = request('http', JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), undefined)
      const reply = outputs.find((output) => output.kind === 'reply')
      if (reply === undefined) throw new Error(`${method} was not answered`)
      return JSON.parse(reply.body) as Reply
    },
    send: (body) => request('http', body, undefined),
    over: (connection, body) => {
      if (!simulation.node.connections.has(connection))
        enter({
          kind: 'connected',
          connection,
          side: 'eth',
          remote: '',
        })
      return textsOf(request('ws', body, connection))
    },
    tick: (ms) => textsOf(tick(ms)),
    outputs: tick,
    command: (command) => enter({ kind: 'operator', by: 'test', command }),
    comet: (method, params) =>
      request('http', JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), undefined, 'comet'),
    get: (target) => request('http', '', undefined, 'comet', target),
    rest: (target, headers) => {
      const asking = requestWith({ side: 'rest', verb: 'GET', target, ...(headers && { headers }) })
      const reply = enter(asking).find((output) => output.kind === 'reply')
      if (reply === undefined) throw new Error(`${target} was not answered`)
      return reply.body
    },
    simulation: () => simulation,
    become: (other) => {
      simulation = other
    },
  }
}
