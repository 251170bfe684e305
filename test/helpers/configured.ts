/**
 * A chain of the kvstore application as a `config.toml` configures it: inputs in, outputs out, time
 * by hand.
 */
import { parse } from 'smol-toml'
import type { NodeCommand } from '../../src/node/command.ts'
import type { InputBody } from '../../src/plan/input.ts'
import type { Output } from '../../src/node/output.ts'
import type { World } from '../../src/node/world.ts'
import { resolveSettings } from '../../src/shell/config/resolve.ts'
import { createWorld } from '../../src/shell/world.ts'
import { createSimulation } from '../../src/simulation.ts'
import { simulateWatched } from './tripwire.ts'
import { emptyPlan, repliesIn } from './kvSimulation.ts'
import type { Simulation } from '../../src/simulation/turn.ts'
import { callOf, cometRequest } from './requests.ts'

/** Asked of over every transport; `flags` are those of the command line. */
export class Configured {
  simulation: Simulation
  readonly #world: World
  #seq = 0
  #timeMs = 0n

  constructor(config: string, flags: Record<string, string> = {}) {
    const settings = resolveSettings({
      flags: new Map(Object.entries({ app: 'kvstore', ...flags })),
      environment: {},
      scenario: undefined,
      files: new Map([['config.toml', parse(config)]]),
    })
    const { world, genesis } = createWorld(settings)
    this.#world = world
    this.simulation = createSimulation(world, { settings, genesis, plan: emptyPlan })
  }

  enter(body: InputBody, laterMs = 0): readonly Output[] {
    this.#timeMs += BigInt(laterMs)
    this.#seq += 1
    const { simulation, outputs } = simulateWatched(this.#world, this.simulation, {
      ...body,
      seq: this.#seq,
      timeMs: this.#timeMs,
      session: '',
    })
    this.simulation = simulation
    return outputs
  }

  command(command: NodeCommand): void {
    this.enter({ kind: 'operator', by: 'test', command })
  }

  /** Makes a block at the next moment. */
  mine(count = 1): void {
    for (let made = 0; made < count; made++) this.command({ type: 'produceBlock' })
  }

  /** Returns the text of a result, or of the error's data or message. */
  ask(method: string, params: object = {}): string {
    return this.#said(this.enter(callOf(method, params, { side: 'comet' })))
  }

  post(body: string): string {
    return this.#said(this.enter(cometRequest({ body })))
  }

  say(connection: number, method: string, params: object): string {
    const given = { side: 'comet', verb: 'GET', target: '/websocket', connection } as const
    return this.#said(this.enter(callOf(method, params, given)))
  }

  submit(tx: string): string {
    return this.ask('broadcast_tx_sync', { tx: Buffer.from(tx).toString('base64') })
  }

  waiting(): string {
    return (JSON.parse(this.ask('num_unconfirmed_txs')) as { total: string }).total
  }

  /** Returns the milliseconds until an input comes to what is looked for. */
  until(holds: (outputs: readonly Output[]) => boolean, stepMs = 100): number {
    for (let ms = stepMs; ms <= 120_000; ms += stepMs) {
      if (holds(this.enter({ kind: 'tick' }, stepMs))) return ms
    }
    return Infinity
  }

  get height(): bigint {
    return this.simulation.node.chain.height
  }

  #said(outputs: readonly Output[]): string {
    const [reply] = repliesIn(outputs)
    if (reply === undefined) return 'no reply'
    if (reply.body.startsWith('[')) return reply.body
    const { result, error } = JSON.parse(reply.body) as {
      result?: unknown
      error?: { message: string; data?: string }
    }
    return error === undefined ? JSON.stringify(result) : (error.data ?? error.message)
  }
}
