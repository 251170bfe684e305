import { takeWanted } from '../../app/forked.ts'
import { SimError } from '../../errors.ts'
import type { Simulation } from '../../simulation/turn.ts'

/**
 * Throws `FixturesOnFork` if building a chain before its first input needed state that is not
 * fetched yet.
 */
export function assertNothingMissed({
  node: {
    chain: { app },
  },
}: Simulation): void {
  if (app.forked !== undefined && takeWanted(app.forked).length > 0) throw new FixturesOnFork()
}

/** Fixtures are applied at once, but a forked chain has to fetch state first. */
export class FixturesOnFork extends SimError {
  constructor() {
    super('BAD_SETTING', 'a scenario with accounts, contracts or a history cannot start on a forked chain', {
      hint: 'Remove these fixtures; set balances and send transactions in the steps instead.',
    })
  }
}
