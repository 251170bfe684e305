/**
 * Returns a copy of a simulation before its first input, with separate knowledge of the forked
 * chain. Facts that another copy learns are not among its inputs. Both start with the facts known
 * so far.
 */
import type { Simulation } from '../../simulation/turn.ts'

export function forkedApart(first: Simulation): Simulation {
  const { forked } = first.node.chain.app
  if (forked === undefined) return first
  const known = new Map([...forked.known].map(([store, entries]) => [store, new Map(entries)]))
  const app = { ...first.node.chain.app, forked: { ...forked, known, wanted: new Map() } }
  const chain = { ...first.node.chain, app }
  return { ...first, node: { ...first.node, chain, origin: chain } }
}
