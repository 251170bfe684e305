/** Reads of the control API on a fork, which need state of the other chain. */
import { takeWanted } from '../../app/forked.ts'
import type { Instance } from '../ports.ts'
import type { ControlRoute } from './route.ts'

/** Each round fetches what the one before did not know to need, such as the code of an account. */
const roundsMost = 20

type Read = () => unknown

/**
 * Resolves with what `read` returns when the state of the other chain that it needs has been fetched. If the
 * state cannot be fetched: with what it returns without, or rejects with `StateMissing` if the state is needed.
 */
export async function fetched(
  { fetch, simulation }: Pick<Instance, 'fetch' | 'simulation'>,
  read: Read,
  otherChain: NonNullable<ControlRoute['otherChain']>,
): Promise<unknown> {
  const { forked } = simulation().node.chain.app
  if (fetch === undefined || forked === undefined) return read()
  for (let round = 0; ; round++) {
    takeWanted(forked)
    const answer = await outcomeOf(read)
    const wanted = takeWanted(forked)
    if (wanted.length === 0 || round === roundsMost) return answer()
    try {
      await fetch(wanted)
    } catch (error) {
      if (otherChain === 'isNeeded') throw error
      return answer()
    }
  }
}

/** Resolves with a function that returns or throws what `read` did. */
async function outcomeOf(read: Read): Promise<() => unknown> {
  try {
    const value = await read()
    return () => value
  } catch (error) {
    return () => {
      throw error
    }
  }
}
