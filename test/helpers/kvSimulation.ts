/** A whole simulation over `kvApp`: inputs in, outputs out, time by hand. */
import { noFixtures } from '../../src/plan/fixtures.ts'
import { createHash } from 'node:crypto'
import type { Application } from '../../src/app/application.ts'
import { createRandom } from '../../src/data/random.ts'
import type { NodeCommand } from '../../src/node/command.ts'
import type { Input, InputBody } from '../../src/plan/input.ts'
import type { Output, ReplyOutput } from '../../src/node/output.ts'
import type { Plan } from '../../src/plan/plan.ts'
import type { World } from '../../src/node/world.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import type { Settings } from '../../src/settings/settings.ts'
import { createSimulation, type Simulated } from '../../src/simulation.ts'
import { simulateWatched } from './tripwire.ts'
import { kvChain } from './kvChain.ts'
import type { Simulation } from '../../src/simulation/turn.ts'
import { cometRequest } from './requests.ts'

export const emptyPlan: Plan = {
  name: 'none',
  description: '',
  digest: '',
  seed: '',
  fixtures: noFixtures,
  faults: [],
  steps: [],
  timeoutMs: 60_000n,
}

/** `like` gives the keys of another one, so that both make the same bytes. */
type Given = {
  readonly like?: KvSimulation
  readonly settings?: Partial<Settings>
  readonly plan?: Partial<Plan>
  readonly app?: Application
}

/** A simulation with its own clock; `simulation` is the value after the last input. */
export class KvSimulation {
  simulation: Simulation
  readonly #start: ReturnType<typeof kvChain>
  readonly world: World
  #seq = 0
  #timeMs = 0n

  constructor({ like, settings = {}, plan = {}, app }: Given = {}) {
    this.#start = like === undefined ? kvChain() : like.#start
    const { world, chain } = this.#start
    const random = createRandom(
      new Uint8Array(32),
      (bytes) => new Uint8Array(createHash('sha256').update(bytes).digest()),
    )
    this.world = {
      ...world,
      ...(app === undefined ? {} : { app }),
      keyring: [],
      version: 'test',
      random,
    }
    const all = { ...profileSettings('local'), ...settings }
    this.simulation = createSimulation(this.world, {
      settings: all,
      genesis: chain.genesis,
      plan: { ...emptyPlan, ...plan },
    })
  }

  /** Returns what leaves because of an input, `laterMs` after the one before. */
  enter(body: InputBody, laterMs = 0): readonly Output[] {
    return this.simulated(body, laterMs).outputs
  }

  /** Returns all that an input comes to, `laterMs` after the one before. */
  simulated(body: InputBody, laterMs = 0): Simulated {
    this.#timeMs += BigInt(laterMs)
    this.#seq += 1
    const input: Input = { ...body, seq: this.#seq, timeMs: this.#timeMs, session: '' }
    const after = simulateWatched(this.world, this.simulation, input)
    this.simulation = after.simulation
    return after
  }

  tick(laterMs: number): readonly Output[] {
    return this.enter({ kind: 'tick' }, laterMs)
  }

  /** Carries a command out. */
  command(command: NodeCommand): readonly Output[] {
    return this.enter({ kind: 'operator', by: 'test', command })
  }

  /** Asks CometBFT RPC over POST. */
  ask(method: string, params: object = {}): readonly Output[] {
    return this.enter(cometRequest({ body: JSON.stringify({ jsonrpc: '2.0', id: this.#seq, method, params }) }))
  }

  get height(): bigint {
    return this.simulation.node.chain.height
  }
}

export function repliesIn(outputs: readonly Output[]): readonly ReplyOutput[] {
  return outputs.flatMap((output) => (output.kind === 'reply' ? [output] : []))
}

export function wakeIn(outputs: readonly Output[]): bigint | undefined {
  const wake = outputs.findLast(({ kind }) => kind === 'wake')
  return wake?.kind === 'wake' ? wake.atMs : undefined
}
