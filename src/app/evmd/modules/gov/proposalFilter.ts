/** The filter of lists of proposals (x/gov keeper/grpc_query.go). */
import type { Context } from '../../context.ts'
import { type Proposal, proposalMessage, proposalStatus } from './proposals.ts'
import { hasDeposit, hasVote } from './votes.ts'

/** Which proposals are wanted: with a status, with a vote, with a deposit. */
export type ProposalFilter = {
  /** A number that is no status asks for all. */
  readonly status: number
  readonly voter: Uint8Array | undefined
  readonly depositor: Uint8Array | undefined
}

/** Where all proposals stand, by number. */
export const proposalsPlace = {
  store: 'gov',
  prefix: Uint8Array.of(0),
  isCollection: true,
} as const

const statuses: ReadonlySet<number> = new Set(Object.values(proposalStatus))

/**
 * Returns a proposal out of its bytes; undefined when it does not pass. As on the node the votes
 * and deposits are looked up even when the status is another one: gas.
 */
export function filteredProposal(
  context: Context,
  { status, voter, depositor }: ProposalFilter,
  bytes: Uint8Array,
): Proposal | undefined {
  const proposal = proposalMessage.decode(bytes)
  const { id } = proposal
  const hasStatus = !statuses.has(status) || proposal.status === status
  const isVotedOn = voter === undefined || hasVote(context, id, voter)
  const isPaidFor = depositor === undefined || hasDeposit(context, { id, depositor })
  return hasStatus && isVotedOn && isPaidFor ? proposal : undefined
}
