/** The text of an entry in the input log of one process: an input and the block after it. */
import { plainHexOf } from '../../codec/hex.ts'
import { canonicalJson } from '../../data/canonicalJson.ts'
import { parseCanonicalJson } from '../../data/parseCanonicalJson.ts'
import type { Input } from '../../plan/input.ts'
import { countsOf, withCounts, type Journal } from '../../simulation/journal.ts'
import type { Simulation } from '../../simulation/turn.ts'

/**
 * An entry. `calls` counts, by method, the calls since the previous entry that changed nothing;
 * they have no entries. They are in the order of the journal, on which its digest depends. `height`
 * and `block`, the start of the block hash, are those after the input.
 */
export type KeptInput = {
  readonly input: Input
  readonly calls?: readonly (readonly [method: string, count: number])[]
  readonly height: bigint
  readonly block: string
}

/** Returns the text of an entry. */
export function inputEntryText(kept: KeptInput): string {
  return canonicalJson(kept)
}

/** Parses the text of an entry. */
export function inputEntryOf(text: string): KeptInput {
  return parseCanonicalJson(text) as KeptInput
}

const blockLength = 16

/** Returns the height and block hash of a simulation, as in its entry. */
export function standingOf({ node: { chain } }: Simulation): Pick<KeptInput, 'height' | 'block'> {
  return { height: chain.height, block: plainHexOf(chain.lastBlockId.hash).slice(0, blockLength) }
}

/** Returns the number of calls between two journals, by method; undefined if there are none. */
export function callsSince(before: Journal, now: Journal): KeptInput['calls'] {
  if (before === now) return undefined
  const counted = countsOf(before)
  const more = [...countsOf(now)].flatMap(([method, count]) => {
    const added = count - (counted.get(method) ?? 0)
    return added === 0 ? [] : [[method, added] as const]
  })
  return more.length === 0 ? undefined : more
}

/** Returns the simulation with `calls` added to its journal's counts. */
export function withCalls(simulation: Simulation, calls: KeptInput['calls']): Simulation {
  if (calls === undefined) return simulation
  const { journal } = simulation
  const counts = withCounts(countsOf(journal), calls)
  return { ...simulation, journal: { ...journal, counts, counted: journal.calls.length } }
}
