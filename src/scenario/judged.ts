/** Finds the calls of clients that the expectations of a scenario judge one by one. */
import type { Expected } from '../plan/expectation.ts'
import type { Plan } from '../plan/plan.ts'
import type { CallRecord } from '../rpc/callRecord.ts'
import { callMatches, filledIn } from './occurrence.ts'
import type { Progress } from './progress.ts'

/** Returns whether the current step or a later one may judge a call. */
export function mayJudge({ steps }: Plan, { step }: Pick<Progress, 'step'>, record: CallRecord): boolean {
  return steps.slice(step).some(({ expectations }) => expectations.some((one) => judges(one, record)))
}

function judges(one: Expected, record: CallRecord): boolean {
  switch (one.type) {
    case 'any':
    case 'all':
      return one.of.some((each) => judges(each, record))
    case 'never':
      return judges(one.of, record)
    case 'given':
    case 'pace':
    case 'covers':
      // The phase and the late parameters that count are those when the expectation is checked.
      return callMatches(filledIn(one.match, { filled: () => '[]' }), record)
    default:
      return false
  }
}
