/** Loads parts of the program that the core wants on first use. All chains of the process share them. */
import type { Loadable } from '../data/loadable.ts'
import type { MakesAction } from '../scenario/late.ts'
import type { Simulated } from '../simulation.ts'
import type { Part } from '../simulation/turn.ts'
import { loadScripts } from './scripts/loading.ts'

/** The compiler of late actions; a server without a scenario never loads its schema. */
export const lateActions: Loadable<MakesAction> = { part: undefined, isWanted: false }

const loaders: { readonly [Name in Part]: () => Promise<void> } = {
  scripts: loadScripts,
  lateActions: async () => {
    lateActions.part = (await import('../scenario/lateAction.ts')).actionOf
  },
}

/** Resolves when a part is loaded. */
export function loadPart(name: Part): Promise<void> {
  return loaders[name]()
}

/** Resolves with the result of an input. `turn` runs again whenever a part that it needs has been loaded. */
export async function withParts(turn: () => Simulated): Promise<Simulated> {
  for (;;) {
    const after = turn()
    if (after.needs === undefined) return after
    await loadPart(after.needs)
  }
}
