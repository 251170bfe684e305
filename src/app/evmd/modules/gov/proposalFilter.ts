/** The filter for lists of proposals (x/gov keeper/grpc_query.go). */
import type { Context } from '../../context.ts'
import { type Proposal, proposalMessage, proposalStatus } from './proposals.ts'
import { hasDeposit, hasVote } from './votes.ts'

/** A filter by status, voter and depositor. */
export type ProposalFilter = {
  /** A number that is not a status matches every proposal. */
  readonly status: number
  readonly voter: Uint8Array | undefined
  readonly depositor: Uint8Array | undefined
}

/** The store and key prefix of all proposals, ordered by ID. */
export const proposalsPlace = {
  store: 'gov',
  prefix: Uint8Array.of(0),
  isCollection: true,
} as const

const statuses: ReadonlySet<number> = new Set(Object.values(proposalStatus))

/**
 * Returns a decoded proposal; undefined if it does not match. As on the node, votes and deposits
 * are looked up even if the status does not match, which costs gas.
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
