/** Checks faults that a person is still writing. */
import { isExpected } from '../../errors.ts'
import { described } from './actions.ts'

/** Resolves with what is wrong with a fault's rule, or with null if a scenario could have it. */
export async function faultProblem(name: string, rule: unknown): Promise<{ readonly problem: string | null }> {
  try {
    await described(name, rule)
    return { problem: null }
  } catch (error) {
    if (isExpected(error)) return { problem: error.message }
    throw error
  }
}
