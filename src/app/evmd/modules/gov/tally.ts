/** Tallies votes (x/gov keeper/tally.go). */
import { toBinaryString } from '../../../../data/binaryString.ts'
import type { Context } from '../../context.ts'
import { decimalOf, divide, multiply, one, truncated } from '../../decimal.ts'
import { moduleAccount } from '../auth/accounts.ts'
import { getBalance } from '../bank/balances.ts'
import { delegationsOf } from '../staking/delegations.ts'
import { stakingParams } from '../staking/params.ts'
import { bondedPool } from '../staking/pools.ts'
import { status, type Validator, tokensOfShares } from '../staking/validator.ts'
import { getValidator, operatorsByPower } from '../staking/validators.ts'
import { govParams } from './params.ts'
import type { Proposal, Tally } from './proposals.ts'
import { deleteVote, type VoteOption, voteOptions, votesOn } from './votes.ts'

export type Counted = {
  readonly passes: boolean
  readonly burnsDeposits: boolean
  readonly tally: Tally
}

/** Voting powers by option, and their total, as 18-place decimals. */
type Powers = { byOption: Map<number, bigint>; total: bigint }

/**
 * Tallies the votes on a proposal. As on the node, this deletes them: temporarily in a query, but
 * permanently in a transaction that reads the tally through precompile 0x805.
 */
export function countVotes(context: Context, proposal: Proposal): Counted {
  const powers = powersOf(context, proposal.id)
  const of = (option: number): bigint => powers.byOption.get(option) ?? 0n
  const text = (option: number): string => truncated(of(option)).toString()
  const tally = {
    yes: text(voteOptions.yes),
    abstain: text(voteOptions.abstain),
    no: text(voteOptions.no),
    noWithVeto: text(voteOptions.noWithVeto),
  }
  const fails = { passes: false, burnsDeposits: false, tally }
  const bonded = getBalance(context, moduleAccount(context, bondedPool).address, stakingParams(context).bondDenom)
  if (bonded === 0n) return fails
  const params = govParams(context)
  const ratio = (spelled: string): bigint => decimalOf(spelled) ?? 0n
  if (divide(powers.total, bonded * one) < ratio(params.quorum)) {
    return { ...fails, burnsDeposits: params.burnVoteQuorum }
  }
  const decided = powers.total - of(voteOptions.abstain)
  if (decided === 0n) return fails
  if (divide(of(voteOptions.noWithVeto), powers.total) > ratio(params.vetoThreshold)) {
    return { ...fails, burnsDeposits: params.burnVoteVeto }
  }
  const threshold = ratio(proposal.expedited ? params.expeditedThreshold : params.threshold)
  return { ...fails, passes: divide(of(voteOptions.yes), decided) > threshold }
}

type Voting = {
  readonly validator: Validator
  options: readonly VoteOption[]
  deducted: bigint
}

/**
 * Returns the voting powers. A delegator's vote overrides its validator's, which votes with the
 * remaining shares.
 */
function powersOf(context: Context, id: bigint): Powers {
  const powers: Powers = { byOption: new Map(), total: 0n }
  const validators = bondedValidators(context)
  const votes = votesOn(context, id)
  for (const { voter, options } of votes) {
    const own = validators.get(toBinaryString(voter))
    if (own !== undefined) own.options = options
    for (const { operator, shares } of delegationsOf(context, voter)) {
      const to = validators.get(toBinaryString(operator))
      if (to === undefined) continue
      to.deducted += shares
      addPower(powers, options, tokensOfShares(to.validator, shares))
    }
  }
  for (const vote of votes) deleteVote(context, vote)
  for (const { validator, options, deducted } of validators.values()) {
    if (options.length === 0) continue
    addPower(powers, options, tokensOfShares(validator, validator.delegatorShares - deducted))
  }
  return powers
}

function addPower(powers: Powers, options: readonly VoteOption[], power: bigint): void {
  for (const { option, weight } of options) {
    const part = multiply(power, decimalOf(weight) ?? 0n)
    powers.byOption.set(option, (powers.byOption.get(option) ?? 0n) + part)
  }
  powers.total += power
}

function bondedValidators(context: Context): Map<string, Voting> {
  const { maxValidators } = stakingParams(context)
  const found = new Map<string, Voting>()
  for (const operator of operatorsByPower(context)) {
    if (found.size >= maxValidators) break
    const validator = getValidator(context, operator)
    if (validator.status !== status.bonded) continue
    found.set(toBinaryString(operator), { validator, options: [], deducted: 0n })
  }
  return found
}
