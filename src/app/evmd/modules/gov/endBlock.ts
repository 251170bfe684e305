/** Ends the deposit and voting periods of proposals at the end of a block (x/gov abci.go). */
import { addNanos } from '../../../../data/time.ts'
import { OutOfGas } from '../../../gasMeter.ts'
import { blockTime } from '../../blockTime.ts'
import { emit, type Context } from '../../context.ts'
import { failureOf } from '../../failure.ts'
import { runInner } from '../../tx/runHandler.ts'
import { burnDeposits, refundDeposits } from './deposits.ts'
import { govParams } from './params.ts'
import {
  deleteProposal,
  dueProposals,
  enterQueue,
  getProposal,
  leaveQueue,
  type Proposal,
  proposalStatus,
  setProposal,
} from './proposals.ts'
import { countVotes } from './tally.ts'

/** Drops proposals with insufficient deposits, and tallies those whose voting period is over. */
export function endGov(context: Context): void {
  const now = blockTime(context)
  for (const id of dueProposals(context, 'inactive', now)) drop(context, id)
  for (const id of dueProposals(context, 'active', now)) decide(context, getProposal(context, id))
}

function drop(context: Context, id: bigint): void {
  getProposal(context, id)
  deleteProposal(context, id)
  settleDeposits(context, id, govParams(context).burnProposalDepositPrevote)
  emit(context, 'inactive_proposal', {
    proposal_id: id.toString(),
    proposal_result: 'proposal_dropped',
  })
}

/**
 * Refunds or burns deposits. If a proposal has spent the deposits on others, the failure is only
 * reported, so that the chain continues.
 */
function settleDeposits(context: Context, id: bigint, burns: boolean): void {
  try {
    if (burns) burnDeposits(context, id)
    else refundDeposits(context, id)
  } catch (error) {
    const { message } = failureOf(context, `deposits of proposal ${id}`, error)
    emit(context, 'proposal_deposit', {
      proposal_id: id.toString(),
      proposal_deposit_error: 'failed to refund or burn deposits',
      error: message,
    })
  }
}

type Outcome = {
  readonly proposal: Proposal
  readonly result: string
  readonly log: string
}

function decide(context: Context, proposal: Proposal): void {
  const { id } = proposal
  const { passes, burnsDeposits, tally } = countVotes(context, proposal)
  if (!proposal.expedited || passes) {
    settleDeposits(context, id, burnsDeposits)
  }
  if (proposal.votingEnd !== undefined) {
    leaveQueue(context, 'active', { id, time: proposal.votingEnd })
  }
  const outcome = passes
    ? execute(context, proposal)
    : proposal.expedited
      ? prolong(context, proposal)
      : rejected(proposal)
  setProposal(context, { ...outcome.proposal, tally })
  emit(context, 'active_proposal', {
    proposal_id: id.toString(),
    proposal_result: outcome.result,
    proposal_log: outcome.log,
  })
}

function rejected(proposal: Proposal): Outcome {
  const failedReason = 'proposal did not get enough votes to pass'
  return {
    proposal: { ...proposal, status: proposalStatus.rejected, failedReason },
    result: 'proposal_rejected',
    log: 'rejected',
  }
}

/** Turns a failed expedited proposal into a regular one, with a longer voting period. */
function prolong(context: Context, proposal: Proposal): Outcome {
  const start = proposal.votingStart ?? blockTime(context)
  const votingEnd = addNanos(start, govParams(context).votingPeriod)
  enterQueue(context, 'active', { id: proposal.id, time: votingEnd })
  return {
    proposal: { ...proposal, expedited: false, votingEnd },
    result: 'expedited_proposal_rejected',
    log: 'expedited proposal converted to regular',
  }
}

/** Executes the messages of a proposal. If one fails, all are reverted. */
function execute(context: Context, proposal: Proposal): Outcome {
  const mark = context.draft.mark()
  const events = context.events.length
  let index = 0
  try {
    for (const message of proposal.messages) {
      runInner(context, message)
      index += 1
    }
  } catch (error) {
    const refusal = failureOf(context, `message ${index} of proposal ${proposal.id}`, error)
    context.draft.cut(mark)
    context.events.length = events
    const failedReason = error instanceof OutOfGas ? error.message : refusal.message
    return {
      proposal: { ...proposal, status: proposalStatus.failed, failedReason },
      result: 'proposal_failed',
      log: `passed, but msg ${index} (${proposal.messages[index]?.typeUrl}) failed on execution: ${failedReason}`,
    }
  }
  return {
    proposal: { ...proposal, status: proposalStatus.passed },
    result: 'proposal_passed',
    log: 'passed',
  }
}
