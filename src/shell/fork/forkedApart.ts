/**
 * Returns a simulation before its first input that learns of the chain it goes on from on its own:
 * what another one is told is no input of it. What is known so far is known to both.
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
