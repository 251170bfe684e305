/** Messages of x/gov: v1, and those of v1beta1 that wallets still send (msg_server.go). */
import { protoQuote } from '../../../../codec/goText.ts'
import { timestamp } from '../../../../codec/protobuf/timestamp.ts'
import { always, bool, message, nested, repeated, text, uint32, uint64 } from '../../../../codec/protobuf/message.ts'
import { compareTime, type Time } from '../../../../data/time.ts'
import { addressOf, namedAddress, accountText } from '../../address.ts'
import { blockTime } from '../../blockTime.ts'
import { emit, type Context, type Handler } from '../../context.ts'
import { decimalOf, decimalText, one } from '../../decimal.ts'
import { handler } from '../../tx/handler.ts'
import type { AnyMessage } from '../../tx/runHandler.ts'
import { sdkError } from '../../txError.ts'
import { anyMessage, coinField, digits } from '../../wire.ts'
import { areValid, type Coin, coinsText } from '../../coins.ts'
import { addDeposit, chargeDeposits } from './deposits.ts'
import { deleteProposal, getProposal, govError, isVoting, proposalStatus } from './proposals.ts'
import { checkMetadataLength, submitProposal } from './submit.ts'
import { deleteVotes, isVoteOption, optionText, setVote, type VoteOption, voteOptionMessage } from './votes.ts'

type MsgSubmit = {
  messages: readonly AnyMessage[]
  deposit: readonly Coin[]
  proposer: string
  metadata: string
  title: string
  summary: string
  expedited: boolean
}
type MsgVote = { id: bigint; voter: string; option: number; metadata: string }
type MsgVoteWeighted = {
  id: bigint
  voter: string
  options: readonly VoteOption[]
  metadata: string
}
type MsgDeposit = { id: bigint; depositor: string; amount: readonly Coin[] }
type MsgCancel = { id: bigint; proposer: string }

const msgSubmit = message<MsgSubmit>({
  1: ['messages', repeated(always(anyMessage))],
  2: ['deposit', repeated(coinField)],
  3: ['proposer', text],
  4: ['metadata', text],
  5: ['title', text],
  6: ['summary', text],
  7: ['expedited', bool],
})
const msgVote = message<MsgVote>({
  1: ['id', uint64],
  2: ['voter', text],
  3: ['option', uint32],
  4: ['metadata', text],
})
const msgVoteWeighted = message<MsgVoteWeighted>({
  1: ['id', uint64],
  2: ['voter', text],
  3: ['options', repeated(always(voteOptionMessage))],
  4: ['metadata', text],
})
const msgDeposit = message<MsgDeposit>({
  1: ['id', uint64],
  2: ['depositor', text],
  3: ['amount', repeated(coinField)],
})
const msgCancel = message<MsgCancel>({ 1: ['id', uint64], 2: ['proposer', text] })
const oldOption = message<{ option: number; weight: bigint }>({
  1: ['option', uint32],
  2: ['weight', digits],
})
const oldVoteWeighted = message<{
  id: bigint
  voter: string
  options: readonly { option: number; weight: bigint }[]
}>({ 1: ['id', uint64], 2: ['voter', text], 3: ['options', repeated(always(oldOption))] })
const submitted = message<{ id: bigint }>({ 1: ['id', uint64] })
const cancelled = message<{ id: bigint; time: Time | undefined; height: bigint }>({
  1: ['id', uint64],
  2: ['time', nested(timestamp)],
  3: ['height', uint64],
})

const full = decimalText(one)
const v1 = '/cosmos.gov.v1.'
const v1beta1 = '/cosmos.gov.v1beta1.'
const voteHandler = handler(msgVote, ({ voter }, at) => addressOf(at, voter), voteOnce)
const depositHandler = handler(msgDeposit, ({ depositor }, at) => addressOf(at, depositor), deposit)

export const govMessages: Readonly<Record<string, Handler>> = {
  [`${v1}MsgSubmitProposal`]: handler(msgSubmit, ({ proposer }, at) => addressOf(at, proposer), submit),
  [`${v1}MsgVote`]: voteHandler,
  [`${v1}MsgVoteWeighted`]: handler(
    msgVoteWeighted,
    ({ voter }, at) => addressOf(at, voter),
    (context, asked) => {
      // A list that the message lacks is nil in Go. Lists converted from other forms are empty.
      if (asked.options.length === 0) throw sdkError('invalidRequest', 'null')
      voteWeighted(context, asked)
    },
  ),
  [`${v1}MsgDeposit`]: depositHandler,
  [`${v1}MsgCancelProposal`]: handler(msgCancel, ({ proposer }, at) => addressOf(at, proposer), cancel),
  [`${v1beta1}MsgVote`]: voteHandler,
  [`${v1beta1}MsgDeposit`]: depositHandler,
  [`${v1beta1}MsgVoteWeighted`]: handler(
    oldVoteWeighted,
    ({ voter }, at) => addressOf(at, voter),
    (context, { id, voter, options }) => {
      const texts = options.map(({ option, weight }) => ({ option, weight: decimalText(weight) }))
      voteWeighted(context, { id, voter, options: texts, metadata: '' })
    },
  ),
}

function submit(context: Context, asked: MsgSubmit): Uint8Array {
  const id = submitProposal(context, {
    ...asked,
    proposer: namedAddress(context, 'proposer', asked.proposer),
  })
  return submitted.encode({ id })
}

/** Stores a vote for one option. */
export function voteOnce(context: Context, { option, ...asked }: MsgVote): void {
  if (!isVoteOption(option)) throw govError(7, `${optionText(option)}: invalid vote option`)
  vote(context, { ...asked, options: [{ option, weight: full }] })
}

/** Stores a weighted vote. The weights must add up to one. */
export function voteWeighted(context: Context, asked: MsgVoteWeighted): void {
  namedAddress(context, 'voter', asked.voter)
  if (asked.options.length === 0) throw sdkError('invalidRequest', '[]')
  const invalid = (why: string) => govError(7, `${why}: invalid vote option`)
  let total = 0n
  const seen = new Set<number>()
  for (const { option, weight } of asked.options) {
    const value = decimalOf(weight)
    if (!isVoteOption(option) || value === undefined || value <= 0n || value > one) {
      throw invalid(weightedText({ option, weight }))
    }
    if (seen.has(option)) throw invalid('duplicated vote option')
    seen.add(option)
    total += value
  }
  if (total > one) throw invalid('total weight overflow 1.00')
  if (total < one) throw invalid('total weight lower than 1.00')
  vote(context, asked)
}

/** Returns a weighted option in protobuf's text format, which omits zero and empty fields. */
function weightedText({ option, weight }: VoteOption): string {
  const choice = option === 0 ? '' : `option:${optionText(option)} `
  return weight === '' ? choice : `${choice}weight:${protoQuote(weight)} `
}

/**
 * Stores a vote. Throws unless the proposal is in its voting period, and for metadata that is too
 * long.
 */
function vote(context: Context, { id, voter, options, metadata }: MsgVoteWeighted): void {
  const address = namedAddress(context, 'voter', voter)
  if (!isVoting(context, id)) throw govError(3, `${id}: inactive proposal`)
  checkMetadataLength(metadata)
  setVote(context, { id, voter: address, options, metadata })
  emit(context, 'proposal_vote', {
    voter: accountText(context, address),
    option: JSON.stringify(options.map(({ option, weight }) => ({ option, weight }))),
    proposal_id: id.toString(),
  })
}

/** Deposits coins on a proposal. */
export function deposit(context: Context, { id, depositor, amount }: MsgDeposit): void {
  const address = namedAddress(context, 'depositor', depositor)
  if (amount.length === 0 || !areValid(amount)) throw sdkError('invalidCoins', coinsText(amount))
  if (addDeposit(context, id, { depositor: address, amount })) {
    emit(context, 'proposal_deposit', { voting_period_start: id.toString() })
  }
}

/** Cancels a proposal. Returns the response. */
export function cancel(context: Context, { id, proposer }: MsgCancel): Uint8Array {
  namedAddress(context, 'proposer', proposer)
  cancelProposal(context, id, proposer)
  emit(context, 'cancel_proposal', { sender: proposer, proposal_id: id.toString() })
  return cancelled.encode({ id, time: blockTime(context), height: context.block.height })
}

/**
 * Removes a proposal at its proposer's request before its voting period ends. Throws the SDK's
 * errors.
 */
export function cancelProposal(context: Context, id: bigint, proposer: string): void {
  const proposal = getProposal(context, id)
  if (proposal.proposer !== proposer) {
    throw govError(18, `invalid proposer ${proposer}: invalid proposer`)
  }
  const { depositPeriod, votingPeriod } = proposalStatus
  if (proposal.status !== depositPeriod && proposal.status !== votingPeriod) {
    throw govError(21, 'proposal should be in the deposit or voting period: invalid proposal')
  }
  if (proposal.votingEnd !== undefined && compareTime(proposal.votingEnd, blockTime(context)) < 0) {
    throw govError(20, `voting period is already ended for this proposal ${id}: voting period already ended`)
  }
  chargeDeposits(context, id)
  if (proposal.votingStart !== undefined) deleteVotes(context, id)
  deleteProposal(context, id)
}
