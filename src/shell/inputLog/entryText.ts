/** What an entry of the log of one process says: an input, and where it led. */
import { plainHexOf } from '../../codec/hex.ts'
import { canonicalJson } from '../../data/canonicalJson.ts'
import { parseCanonicalJson } from '../../data/parseCanonicalJson.ts'
import type { Input } from '../../node/input.ts'
import { countsOf, withCounts, type Journal } from '../../simulation/journal.ts'
import type { Simulation } from '../../simulation/turn.ts'

/**
 * `calls` counts, by method, the calls since the entry before that changed nothing: they have no
 * entry. They stand in the order of the journal, on which its digest depends. `height` and `block`,
 * the beginning of the block's hash, are those after the input.
 */
export type KeptInput = {
  readonly input: Input
  readonly calls?: readonly (readonly [method: string, count: number])[]
  readonly height: bigint
  readonly block: string
}

/** Returns the text of an entry. */
export function entryText(kept: KeptInput): string {
  return canonicalJson(kept)
}

/** Returns what the text of an entry says. */
export function entryOf(text: string): KeptInput {
  return parseCanonicalJson(text) as KeptInput
}

const blockLength = 16

/** Returns where a simulation stands, as its entry says it. */
export function standingOf({ node: { chain } }: Simulation): Pick<KeptInput, 'height' | 'block'> {
  return { height: chain.height, block: plainHexOf(chain.lastBlockId.hash).slice(0, blockLength) }
}

/** Returns how many calls were counted since, by method; undefined for none. */
export function callsSince(before: Journal, now: Journal): KeptInput['calls'] {
  if (before === now) return undefined
  const counted = countsOf(before)
  const more = [...countsOf(now)].flatMap(([method, count]) => {
    const added = count - (counted.get(method) ?? 0)
    return added === 0 ? [] : [[method, added] as const]
  })
  return more.length === 0 ? undefined : more
}

/** Returns the simulation whose journal has counted more calls. */
export function withCalls(simulation: Simulation, calls: KeptInput['calls']): Simulation {
  if (calls === undefined) return simulation
  const { journal } = simulation
  const counts = withCounts(countsOf(journal), calls)
  return { ...simulation, journal: { ...journal, counts, counted: journal.calls.length } }
}
