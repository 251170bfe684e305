/**
 * Runs a storm: steps drawn from a seed, and after each of them everything that must hold. The same
 * seed gives the same storm.
 */
import type { Input } from '../../src/plan/input.ts'
import { recordAt } from '../../src/chain/history.ts'
import type { Simulation } from '../../src/simulation/turn.ts'
import { drawFrom } from '../helpers/randomTx.ts'
import { carryOut, type Yard } from './carryOut.ts'
import { checkAgreement, checkAnswers, checkBounds, checkDigests, checkHeads, checkSupply } from './checks.ts'
import { climateOf } from './climate.ts'
import { createClients, idHeader, type Head } from './clients.ts'
import type { Plant } from './plants.ts'
import { openStage, type Stage } from './stage.ts'
import { drawSteps, type Step } from './steps.ts'

/** `seed` decides what fails and how much a crash takes, `steps` what is done. */
export type Storm = { readonly seed: number; readonly steps: readonly Step[] }

/** The first thing that did not hold; `step` counts from 1. `inputs` are those of the main chain. */
export type Failure = { readonly step: number; readonly why: string; readonly inputs: readonly Input[] }

/** How much was done, for tests that ask whether a storm blows at all. */
export type Weather = { inputs: number; recoveries: number; heads: number }

/** Returns the storm of a seed; without a count, the seed decides how many steps it has. */
export function stormOf(seed: number, count?: number): Storm {
  const draw = drawFrom(seed)
  return { seed, steps: drawSteps(draw, count ?? 3 + draw(13)) }
}

/** Resolves with what did not hold; undefined where everything did. */
export async function runStorm(
  { seed, steps }: Storm,
  plant: Plant = {},
  weather: Weather = { inputs: 0, recoveries: 0, heads: 0 },
): Promise<Failure | undefined> {
  const draw = drawFrom(seed ^ 0x5eed)
  let stage: Stage | undefined
  let why: string | undefined
  let heads: Head[] = []
  const seqs = new Map<number, number>()
  const staged = () => {
    if (stage === undefined) throw new Error('the stage is not open yet')
    return stage
  }
  const clients = createClients(staged, plant)
  const begun = openStage(
    { draw, climate: climateOf(seed), plant },
    {
      saw: (input, _outputs, before, after) => {
        heads = [...heads, ...blocksBetween(before, after)]
        if (input.kind !== 'request') return
        const id = input.headers?.[idHeader] ?? /"id":(\d+)/.exec(input.body)?.[1]
        if (id === undefined) return
        seqs.set(Number(id), input.seq)
        clients.entered(Number(id), input.seq, heads.length)
      },
      log: (level, text) => {
        if (level === 'error') why ??= text
      },
    },
  )
  let step = 0
  try {
    stage = await begun
    const yard: Yard = {
      ...{ stage, clients, checkpoints: [], filters: [], saved: [], later: [] },
      cosmosTx: undefined,
      isPower: true,
    }
    for (const one of steps) {
      step += 1
      const before = stage.life()
      await carryOut(yard, one)
      stage.life().threads.step(step === steps.length)
      if (!(await stage.settle())) await stage.recover(yard.isPower)
      if (stage.life() !== before) {
        clients.forget()
        yard.later.length = 0
        heads = []
        weather.recoveries += 1
      }
      const main = stage.life().main.simulation()
      checkDigests(stage)
      checkSupply(main)
      checkAnswers(clients, main, (id) => seqs.get(id))
      checkHeads(clients, heads)
      checkBounds(stage, clients)
      yard.later.splice(0, Infinity, ...yard.later.filter((isDone) => !isDone()))
      if (step % 8 === 0 || step === steps.length) await checkAgreement(stage, clients, step, yard.cosmosTx)
      if (why !== undefined) throw new Error(why)
      weather.heads = Math.max(weather.heads, heads.length)
    }
    return undefined
  } catch (error) {
    return { step, why: why ?? (error as Error).message, inputs: stage?.inputs() ?? [] }
  } finally {
    weather.inputs += stage?.inputs().length ?? 0
    clients.forget()
    stage?.end()
  }
}

/** Returns the blocks that an input added; none where it went back. */
function blocksBetween({ node: { chain: before } }: Simulation, { node: { chain } }: Simulation): readonly Head[] {
  const count = Number(chain.height - before.height)
  return Array.from({ length: Math.max(count, 0) }, (_, index) => {
    const height = before.height + 1n + BigInt(index)
    const hash = recordAt(chain.history, height)?.id.hash ?? new Uint8Array()
    return { height: Number(height), hash: Buffer.from(hash).toString('hex') }
  })
}
