/** The names and voting powers of the validators at genesis, by their places. */
import type { Settings } from './settings.ts'

/** The highest voting power of a validator at genesis; the lowest is 1. */
export const mostVotingPower = 1_000_000_000

/** Returns the name of a validator; unnamed ones are called validator0, validator1 and so on. */
export function validatorNameAt(
  { validatorNames = [] }: Partial<Pick<Settings, 'validatorNames'>>,
  index: number,
): string {
  return validatorNames[index] ?? `validator${index}`
}

/** Returns the voting power of a validator; the default is 1000. */
export function validatorPowerAt(
  { validatorPowers = [] }: Partial<Pick<Settings, 'validatorPowers'>>,
  index: number,
): bigint {
  return BigInt(validatorPowers[index] ?? 1000)
}
