/** Deposits on proposals, and their refund or loss (x/gov keeper/deposit.go). */
import { accountText, addressOf, govModule, moduleAddress } from '../../address.ts'
import { blockTime, timeAfter } from '../../blockTime.ts'
import { emit, type Context } from '../../context.ts'
import { decimalOf, multiply, one, rounded, truncated } from '../../decimal.ts'
import { sdkError } from '../../txError.ts'
import { addCoinSets, amountOf, covers, subtractCoinSets } from '../../coinSets.ts'
import { areValid, type Coin, coinsText } from '../../coins.ts'
import { burnCoins, sendFromModule, sendToModule } from '../bank/send.ts'
import { fundCommunityPool } from '../distribution/messages.ts'
import { govParams, type GovParams } from './params.ts'
import {
  enterQueue,
  getProposal,
  govError,
  leaveQueue,
  type Proposal,
  proposalStatus,
  setProposal,
} from './proposals.ts'
import { deleteDeposit, depositsOn, findDeposit, setDeposit } from './votes.ts'

/**
 * Deposits coins on a proposal and returns whether voting on it starts. Throws the SDK's errors.
 */
export function addDeposit(
  context: Context,
  id: bigint,
  { depositor, amount }: { depositor: Uint8Array; amount: readonly Coin[] },
): boolean {
  const proposal = getProposal(context, id)
  const { depositPeriod, votingPeriod } = proposalStatus
  if (proposal.status !== depositPeriod && proposal.status !== votingPeriod) {
    throw govError(3, `${id}: inactive proposal`)
  }
  const params = govParams(context)
  const least = proposal.expedited ? params.expeditedMinDeposit : params.minDeposit
  checkDenoms(params, amount)
  checkShare(params, least, amount)
  sendToModule(context, depositor, 'gov', amount)
  const total = addCoinSets(proposal.totalDeposit, amount)
  const deposited = { ...proposal, totalDeposit: total }
  setProposal(context, deposited)
  const begins = proposal.status === depositPeriod && covers(total, least)
  if (begins) beginVoting(context, deposited)
  const before = findDeposit(context, { id, depositor })
  emit(context, 'proposal_deposit', {
    depositor: accountText(context, depositor),
    amount: coinsText(amount),
    proposal_id: id.toString(),
  })
  setDeposit(context, { id, depositor, amount: addCoinSets(before?.amount ?? [], amount) })
  return begins
}

/** Throws unless all denominations are accepted for deposits. */
export function checkDenoms({ minDeposit }: GovParams, amount: readonly Coin[]): void {
  const accepted = minDeposit.map(({ denom }) => denom)
  if (amount.every(({ denom }) => accepted.includes(denom))) return
  throw govError(
    23,
    `deposited ${coinsText(amount)}, but gov accepts only the following denom(s): ` +
      `[${accepted.join(' ')}]: invalid deposit denom`,
  )
}

function checkShare({ minDepositRatio }: GovParams, least: readonly Coin[], amount: readonly Coin[]): void {
  const ratio = decimalOf(minDepositRatio) ?? 0n
  if (ratio === 0n) return
  const thresholds = least.map((coin) => ({ denom: coin.denom, amount: truncated(multiply(coin.amount * one, ratio)) }))
  const isMet = thresholds.some(
    (coin) => amount.some(({ denom }) => denom === coin.denom) && amountOf(amount, coin.denom) >= coin.amount,
  )
  if (isMet) return
  throw govError(
    16,
    `received ${coinsText(amount)} but need at least one of the following: ` +
      `${coinsText(thresholds)}: minimum deposit is too small`,
  )
}

/** Throws unless a proposal's initial deposit reaches the required share. */
export function checkInitialDeposit(
  { minInitialDepositRatio, expeditedMinDeposit, minDeposit }: GovParams,
  { amount, expedited }: { amount: readonly Coin[]; expedited: boolean },
): void {
  if (!areValid(amount)) throw sdkError('invalidCoins', coinsText(amount))
  const ratio = decimalOf(minInitialDepositRatio) ?? 0n
  if (ratio === 0n) return
  const needed = (expedited ? expeditedMinDeposit : minDeposit).map((coin) => ({
    denom: coin.denom,
    amount: rounded(multiply(coin.amount * one, ratio)),
  }))
  if (covers(amount, needed)) return
  throw govError(16, `was (${coinsText(amount)}), need (${coinsText(needed)}): minimum deposit is too small`)
}

function beginVoting(context: Context, proposal: Proposal): void {
  const { votingPeriod, expeditedVotingPeriod } = govParams(context)
  const period = proposal.expedited ? expeditedVotingPeriod : votingPeriod
  const votingEnd = timeAfter(context, period)
  setProposal(context, {
    ...proposal,
    votingStart: blockTime(context),
    votingEnd,
    status: proposalStatus.votingPeriod,
  })
  const { id, depositEnd } = proposal
  if (depositEnd !== undefined) leaveQueue(context, 'inactive', { id, time: depositEnd })
  enterQueue(context, 'active', { id, time: votingEnd })
}

/** Refunds the deposits on a proposal. */
export function refundDeposits(context: Context, id: bigint): void {
  for (const deposit of depositsOn(context, id)) {
    sendFromModule(context, 'gov', deposit.depositor, deposit.amount)
    deleteDeposit(context, deposit)
  }
}

/** Burns the deposits on a proposal. */
export function burnDeposits(context: Context, id: bigint): void {
  let burned: readonly Coin[] = []
  for (const deposit of depositsOn(context, id)) {
    burned = addCoinSets(burned, deposit.amount)
    deleteDeposit(context, deposit)
  }
  burnCoins(context, 'gov', burned)
}

/** Refunds the deposits on a cancelled proposal, minus a share that is burned or sent elsewhere. */
export function chargeDeposits(context: Context, id: bigint): void {
  const { proposalCancelRatio, proposalCancelDest } = govParams(context)
  const ratio = decimalOf(proposalCancelRatio) ?? 0n
  let charged: readonly Coin[] = []
  for (const deposit of depositsOn(context, id)) {
    const share = deposit.amount.map(({ denom, amount }) => ({
      denom,
      amount: truncated(multiply(amount * one, ratio)),
    }))
    const left = subtractCoinSets(deposit.amount, share) ?? []
    charged = addCoinSets(charged, share)
    if (left.length > 0) sendFromModule(context, 'gov', deposit.depositor, left)
    deleteDeposit(context, deposit)
  }
  if (charged.length === 0) return
  if (proposalCancelDest === '') return burnCoins(context, 'gov', charged)
  if (proposalCancelDest === accountText(context, moduleAddress('distribution'))) {
    return fundCommunityPool(context, govModule, charged)
  }
  sendFromModule(context, 'gov', addressOf(context, proposalCancelDest), charged)
}
