/** What the three ways to submit a transaction have in common (`comet-rpc.md` §1.24, §6). */
import type { Outcome, Submitted } from '../../chain/outcome.ts'
import { assert } from '../../errors.ts'
import { failed } from './errors.ts'

/** Returns what became of a submission. Throws the mempool's refusal, after `prefix`. */
export function submittedOf(outcome: Outcome, prefix = ''): Submitted {
  assert(outcome.type === 'submitted', 'a submission comes to one')
  if (outcome.refusal !== undefined) throw failed(prefix + outcome.refusal)
  return outcome
}
