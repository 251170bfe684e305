/** Queries of precompile 0x805 about proposals (cosmos/evm precompiles/gov query). */
import type { Time } from '../../../data/time.ts'
import { accountText, type Addressing, addressOf } from '../address.ts'
import type { Context } from '../context.ts'
import { constitution, govParams } from '../modules/gov/params.ts'
import { filteredProposal, proposalsPlace } from '../modules/gov/proposalFilter.ts'
import { findProposal, type Proposal, proposalStatus, type Tally } from '../modules/gov/proposals.ts'
import { countVotes } from '../modules/gov/tally.ts'
import {
  type Deposit,
  depositMessage,
  depositsPlace,
  findDeposit,
  findVote,
  type Vote,
  voteMessage,
  votesPlace,
} from '../modules/gov/votes.ts'
import { invalidArgument, notFound, orInternal } from '../query/status.ts'
import type { AbiValue } from './abi.ts'
import { bytesArgument, integerArgument } from './arguments.ts'
import { pageIn, precompilePage, pageOut } from './pages.ts'
import { reads, type Run } from './precompile.ts'
import { coinsOut } from './spelling.ts'

function idOf(value: AbiValue | undefined): bigint {
  const id = integerArgument(value)
  if (id === 0n) throw invalidArgument('proposal id can not be 0')
  return id
}

function proposalOf(context: Context, id: bigint): Proposal {
  const proposal = findProposal(context, id)
  if (proposal === undefined) throw notFound(`proposal ${id} doesn't exist`)
  return proposal
}

const vote: Run = ({ context }, [number, from]) => {
  const id = idOf(number)
  const voter = bytesArgument(from)
  const found = findVote(context, id, voter)
  if (found !== undefined) return [voteOut(found)]
  const text = `voter: ${accountText(context, voter)} not found for proposal: ${id}`
  throw invalidArgument(text)
}

const votes: Run = ({ context }, [number, page]) => {
  const at = votesPlace(idOf(number))
  const { items, response } = orInternal(() =>
    precompilePage(context, at, page, ([, value]) => voteMessage(context).decode(value)),
  )
  return [items.map(voteOut), response]
}

function voteOut({ id, voter, options, metadata }: Vote): AbiValue {
  return [id, voter, options.map(({ option, weight }) => [BigInt(option), weight]), metadata]
}

const deposit: Run = ({ context }, [number, from]) => {
  const id = idOf(number)
  const depositor = bytesArgument(from)
  const found = findDeposit(context, { id, depositor })
  if (found !== undefined) return [depositOut(found)]
  const key = `("${id}", "${accountText(context, depositor)}")`
  const type = 'github.com/cosmos/gogoproto/cosmos.gov.v1.Deposit'
  throw notFound(`collections: not found: key '${key}' of type ${type}`)
}

const deposits: Run = ({ context }, [number, page]) => {
  const at = depositsPlace(idOf(number))
  const { items, response } = orInternal(() =>
    precompilePage(context, at, page, ([, value]) => depositMessage(context).decode(value)),
  )
  return [items.map(depositOut), response]
}

function depositOut({ id, depositor, amount }: Deposit): AbiValue {
  return [id, depositor, coinsOut(amount)]
}

const tallyResult: Run = ({ context }, [number]) => {
  const proposal = proposalOf(context, idOf(number))
  const isOpen = proposal.status === proposalStatus.votingPeriod
  return [tallyOut(isOpen ? countVotes(context, proposal).tally : proposal.tally)]
}

function tallyOut(tally: Tally | undefined): AbiValue {
  const { yes, abstain, no, noWithVeto } = tally ?? noVotes
  return [yes, abstain, no, noWithVeto]
}

const noVotes: Tally = { yes: '0', abstain: '0', no: '0', noWithVeto: '0' }

const proposal: Run = ({ context }, [number]) => [proposalOut(context, proposalOf(context, idOf(number)))]

const proposals: Run = ({ context }, [status, from, by, page]) => {
  const filter = {
    status: Number(integerArgument(status)),
    voter: someAddress(from),
    depositor: someAddress(by),
  }
  const { items, response } = orInternal(() =>
    precompilePage(context, proposalsPlace, page, ([, value]) => filteredProposal(context, filter, value)),
  )
  return [items.map((item) => proposalOut(context, item)), response]
}

function someAddress(value: AbiValue | undefined): Uint8Array | undefined {
  const address = bytesArgument(value)
  return address.every((byte) => byte === 0) ? undefined : address
}

function proposalOut(at: Addressing, shown: Proposal): AbiValue {
  const seconds = (time: Time | undefined): bigint => time?.seconds ?? 0n
  return [
    shown.id,
    shown.messages.map(({ typeUrl }) => typeUrl),
    BigInt(shown.status),
    tallyOut(shown.tally),
    seconds(shown.submitTime),
    seconds(shown.depositEnd),
    coinsOut(shown.totalDeposit),
    seconds(shown.votingStart),
    seconds(shown.votingEnd),
    shown.metadata,
    shown.title,
    shown.summary,
    addressOf(at, shown.proposer),
  ]
}

/** Returns the governance parameters. As on the node, durations are in nanoseconds. */
const params: Run = ({ context }) => {
  const known = govParams(context)
  return [
    [
      known.votingPeriod,
      coinsOut(known.minDeposit),
      known.maxDepositPeriod,
      known.quorum,
      known.threshold,
      known.vetoThreshold,
      known.minInitialDepositRatio,
      known.proposalCancelRatio,
      known.proposalCancelDest,
      known.expeditedVotingPeriod,
      known.expeditedThreshold,
      coinsOut(known.expeditedMinDeposit),
      known.burnVoteQuorum,
      known.burnProposalDepositPrevote,
      known.burnVoteVeto,
      known.minDepositRatio,
    ],
  ]
}

const coins = '(string,uint256)[]'
const voteType = '(uint64,address,(uint8,string)[],string)'
const depositType = `(uint64,address,${coins})`
const tallyType = '(string,string,string,string)'
const proposalType = `(uint64,string[],uint32,${tallyType},uint64,uint64,${coins},uint64,uint64,string,string,string,address)`
const paramsType =
  `(int64,${coins},int64,string,string,string,string,string,string,int64,string,` + `${coins},bool,bool,bool,string)`

/** The read-only methods. */
export const govQueries = {
  'getVote(uint64,address)': reads(voteType, vote),
  [`getVotes(uint64,${pageIn})`]: reads(`${voteType}[],${pageOut}`, votes),
  'getDeposit(uint64,address)': reads(depositType, deposit),
  [`getDeposits(uint64,${pageIn})`]: reads(`${depositType}[],${pageOut}`, deposits),
  'getTallyResult(uint64)': reads(tallyType, tallyResult),
  'getProposal(uint64)': reads(proposalType, proposal),
  [`getProposals(uint32,address,address,${pageIn})`]: reads(`${proposalType}[],${pageOut}`, proposals),
  'getParams()': reads(paramsType, params),
  'getConstitution()': reads('string', ({ context }) => [constitution(context)]),
}
