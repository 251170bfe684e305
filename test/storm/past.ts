/**
 * What a chain was given, and where a straight replay of it leads: a second simulation, in a world
 * of its own, that never was in a file. One point for every input that a restart may go back to.
 */
import { isDeepStrictEqual } from 'node:util'
import { canonicalJson } from '../../src/data/canonicalJson.ts'
import type { Input } from '../../src/plan/input.ts'
import type { Output } from '../../src/node/output.ts'
import type { World } from '../../src/node/world.ts'
import { simulate } from '../../src/simulation.ts'
import { digest } from '../../src/simulation/digest.ts'
import { withoutConnections } from '../../src/simulation/resume.ts'
import type { Simulation } from '../../src/simulation/turn.ts'

/** `sequence` is the number of the last entry of the log. */
type Point = { readonly sequence: number; readonly replayed: Simulation }

export type Past = {
  readonly replayed: () => Simulation
  /** Replays an input that was carried out. Throws where its outputs are others. */
  readonly entered: (input: Input, outputs: readonly Output[], sequence: number) => void
  /** The chain became another one; with a number, as an entry of the log. */
  readonly became: (next: Simulation, sequence?: number) => void
  /** A client has been told of everything up to an input. */
  readonly told: (seq: number) => void
  readonly toldNow: () => void
  /**
   * Goes back to where a restarted chain stands, with the number of its last entry; 0 where there is
   * no log. Throws where a client knows more, or the replay is not there.
   */
  readonly survived: (sequence: number, found: Simulation | undefined) => void
}

/** Returns the past of a chain that begins with a simulation. */
export function createPast(world: World, first: Simulation): Past {
  let points: Point[] = []
  let replayed = first
  let told = 0
  const bySeq = new Map<number, number>()
  const add = (next: Simulation, sequence: number) => {
    replayed = next
    points.push({ sequence, replayed })
  }
  return {
    replayed: () => replayed,
    entered: (input, outputs, sequence) => {
      const after = simulate(world, replayed, input)
      add(after.simulation, sequence)
      bySeq.set(input.seq, points.length)
      if (isDeepStrictEqual(outputs, after.outputs)) return
      const [was, is] = [canonicalJson(outputs), canonicalJson(after.outputs)]
      throw new Error(`input ${input.seq} (${input.kind}): a replay gives ${is} instead of ${was}`)
    },
    became: (next, sequence = points.at(-1)?.sequence ?? 0) => add(next, sequence),
    told: (seq) => {
      told = Math.max(told, bySeq.get(seq) ?? 0)
    },
    toldNow: () => {
      told = points.length
    },
    survived: (sequence, found) => {
      const wanted = found && restingDigest(found)
      const at = points.findLastIndex(
        (point) =>
          // A node that was being stopped has kept the reads after its last entry, too.
          (sequence === 0 || point.sequence === sequence) && restingDigest(point.replayed) === wanted,
      )
      const isNew = found === undefined || (points.length === 0 && sequence === 0)
      if (at < 0 && !isNew) throw new Error(`after the crash the chain is not what entry ${sequence} led to`)
      const needed = points[told - 1]?.sequence ?? 0
      const kept = points[at]?.sequence ?? 0
      if (kept < needed) throw new Error(`entry ${needed} was acknowledged, after the crash the last one is ${kept}`)
      replayed = points[at]?.replayed ?? first
      points = at < 0 ? [] : [{ sequence, replayed }]
      told = points.length
      bySeq.clear()
    },
  }
}

function restingDigest(simulation: Simulation): string {
  return digest(withoutConnections(simulation))
}
