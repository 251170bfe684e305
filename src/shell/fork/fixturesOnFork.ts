import { takeWanted } from '../../app/forked.ts'
import { SimError } from '../../errors.ts'
import type { Simulation } from '../../simulation/turn.ts'

/**
 * Throws `FixturesOnFork` where a chain was made before its first input with state that nobody knew
 * yet.
 */
export function assertNothingMissed({
  node: {
    chain: { app },
  },
}: Simulation): void {
  if (app.forked !== undefined && takeWanted(app.forked).length > 0) throw new FixturesOnFork()
}

/** Fixtures are put on a chain at once, and a forked one has to ask first. */
export class FixturesOnFork extends SimError {
  constructor() {
    super('BAD_SETTING', 'a scenario with accounts, contracts or a history cannot begin on a forked chain', {
      hint: 'Leave them out, and give balances and send what is needed when it runs.',
    })
  }
}
