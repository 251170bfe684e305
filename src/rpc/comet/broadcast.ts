/** Shared by the three methods that submit a transaction (`comet-rpc.md` §1.24, §6). */
import type { Outcome, Submitted } from '../../chain/outcome.ts'
import { assert } from '../../errors.ts'
import { failed } from './errors.ts'

/**
 * Returns the result of a submission. If the mempool refused it, throws the mempool's error after
 * `prefix`.
 */
export function submittedOf(outcome: Outcome, prefix = ''): Submitted {
  assert(outcome.type === 'submitted', 'a submission has the outcome submitted')
  if (outcome.refusal !== undefined) throw failed(prefix + outcome.refusal)
  return outcome
}
