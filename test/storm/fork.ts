/** A chain that continues the chain of a storm: what it needs of that chain, it asks for. */
import { cosmosTexts } from '../helpers/addressing.ts'
import { forkDocument } from '../../src/app/evmd/forkDocument.ts'
import { genesisDocument } from '../../src/app/evmd/genesisDocument.ts'
import { parseGenesis } from '../../src/chain/genesis.ts'
import { sha256 } from '../../src/crypto/hash.ts'
import { distinctTexts } from '../../src/data/distinctTexts.ts'
import type { Answer } from '../../src/node/answer.ts'
import { noPlan } from '../../src/plan/plan.ts'
import { createFork } from '../../src/shell/fork/forkParts.ts'
import { originOf } from '../../src/shell/fork/point.ts'
import type { ForkSource } from '../../src/shell/fork/source.ts'
import { createInstance } from '../../src/shell/instance.ts'
import { peek } from '../../src/shell/peek.ts'
import type { Instance } from '../../src/shell/ports.ts'
import type { Sinks } from '../../src/shell/queue.ts'
import { createSimulation } from '../../src/simulation.ts'
import type { Simulation } from '../../src/simulation/turn.ts'
import type { World } from '../../src/node/world.ts'
import { stormSettings } from './climate.ts'
import { createPast, type Past } from './past.ts'

export type StormFork = {
  readonly instance: Instance
  readonly past: Past
  /** The other chain as it was when it was forked. */
  readonly upstream: Simulation
  /** Returns the other chain's answer to a call, as text. */
  readonly upstreamSays: (method: string, params: unknown) => string
  /** Whether requests to the other chain, or blocks, are under way. */
  readonly isAsking: () => boolean
}

export type ForkOptions = {
  readonly world: World
  readonly other: World
  readonly upstream: Simulation
  readonly log: Sinks['log']
  readonly source?: ((source: ForkSource) => ForkSource) | undefined
}

/** The name of the fork, beside those of sessions. */
export const forkName = 'fork'

/** Resolves with a chain that continues another one at its height. */
export async function openStormFork({ world, other, upstream, log, source: plant }: ForkOptions): Promise<StormFork> {
  let asking = 0
  const own: ForkSource = {
    name: 'the node',
    has: (side) => side === 'eth' || side === 'comet',
    ask: async ({ side, method, params }) => {
      asking += 1
      await new Promise((go) => {
        setImmediate(go)
      })
      asking -= 1
      const text = params.form === 'json' ? params.text : '{}'
      return answerOf(peek(world, upstream.node, { side, method, params: JSON.parse(text) as unknown }))
    },
  }
  const source = plant?.(own) ?? own
  const seed = sha256(new TextEncoder().encode(stormSettings.seed))
  const { point } = await originOf(source, undefined)
  const document = forkDocument(genesisDocument({ ...stormSettings, accounts: 0 }, seed), point, {
    addressTexts: cosmosTexts,
    addresses: [],
    amount: 0n,
  })
  const genesis = parseGenesis(document, seed)
  const firstIn = (one: World) => createSimulation(one, { settings: stormSettings, genesis, plan: noPlan })
  const past = createPast(other, firstIn(other))
  const instance = createInstance({
    ...{ session: forkName, world, first: firstIn(world), home: undefined, log },
    forking: createFork({ source, height: point.height, addressTexts: cosmosTexts, misses: distinctTexts() }),
    record: (input, outputs) => past.entered(input, outputs, 0),
  })
  const isMining = () => (instance.simulation().node.mining ?? []).length > 0
  const upstreamSays = (method: string, params: unknown) => {
    const answer = answerOf(peek(world, upstream.node, { side: 'eth', method, params }))
    return answer.ok === true ? String(JSON.parse(answer.text)) : JSON.stringify(answer)
  }
  return { instance, past, upstream, upstreamSays, isAsking: () => asking > 0 || isMining() }
}

function answerOf(peeked: ReturnType<typeof peek>): Answer {
  if ('error' in peeked) {
    const { code, message } = peeked.error
    return { ok: false, error: { code, message, data: undefined } }
  }
  return { ok: true, text: JSON.stringify(peeked.result) }
}
