/** Loads the proposals of x/gov with their deposits and votes from a genesis document. */
import { isImplementation } from '../../../codec/schema/files.ts'
import type { Time } from '../../../data/time.ts'
import { addCoinSets } from '../coinSets.ts'
import type { Coin } from '../coins.ts'
import type { Context } from '../context.ts'
import {
  enterQueue,
  type Proposal,
  proposalMessage,
  proposalStatus,
  type Queue,
  setProposal,
} from '../modules/gov/proposals.ts'
import { depositMessage, setDeposit, setVote, voteMessage } from '../modules/gov/votes.ts'
import { checkHoldings } from './accounts.ts'
import { address, InvalidGenesis, list, messageIn, type Section } from './read.ts'

/**
 * Loads deposits, votes and proposals, and queues the proposals whose period has not ended. Throws
 * `InvalidGenesis` if the deposits are not what the account of the module holds.
 */
export function loadProposals(context: Context, gov: Section): void {
  let deposited: readonly Coin[] = []
  for (const each of list(gov, 'deposits')) {
    address(context, each, 'depositor')
    const deposit = messageIn(each, 'cosmos.gov.v1.Deposit', depositMessage(context))
    setDeposit(context, deposit)
    deposited = addCoinSets(deposited, deposit.amount)
  }
  for (const each of list(gov, 'votes')) {
    address(context, each, 'voter')
    setVote(context, messageIn(each, 'cosmos.gov.v1.Vote', voteMessage(context)))
  }
  for (const each of list(gov, 'proposals')) {
    const proposal = messageIn(each, 'cosmos.gov.v1.Proposal', proposalMessage)
    checkMessages(each, proposal)
    queueProposal(context, each, proposal)
    setProposal(context, proposal)
  }
  checkHoldings(context, 'gov', { path: `${gov.path}.deposits`, coins: deposited })
}

function checkMessages({ path }: Section, { messages }: Proposal): void {
  for (const [index, { typeUrl }] of messages.entries()) {
    if (isImplementation(typeUrl, 'cosmos.base.v1beta1.Msg')) continue
    throw new InvalidGenesis(`${path}.messages[${index}]`, `a message that evmd executes, not ${typeUrl}`)
  }
}

function queueProposal(context: Context, { path }: Section, proposal: Proposal): void {
  const { id, status, depositEnd, votingEnd } = proposal
  const enter = (queue: Queue, name: string, time: Time | undefined): void => {
    if (time === undefined) throw new InvalidGenesis(`${path}.${name}`, 'a time in RFC 3339')
    enterQueue(context, queue, { id, time })
  }
  if (status === proposalStatus.depositPeriod) enter('inactive', 'deposit_end_time', depositEnd)
  if (status === proposalStatus.votingPeriod) enter('active', 'voting_end_time', votingEnd)
}
