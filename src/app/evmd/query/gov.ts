/** /cosmos.gov.v1.Query */
import { bytes, message, nested, repeated, text, uint32, uint64 } from '../../../codec/protobuf/message.ts'
import { accountText } from '../address.ts'
import type { Context } from '../context.ts'
import { constitution, govParams, govParamsMessage } from '../modules/gov/params.ts'
import { filteredProposal, proposalsPlace } from '../modules/gov/proposalFilter.ts'
import { findProposal, type Proposal, proposalMessage, proposalStatus, tallyMessage } from '../modules/gov/proposals.ts'
import { countVotes } from '../modules/gov/tally.ts'
import { depositMessage, depositsPlace, findDeposit, findVote, voteMessage, votesPlace } from '../modules/gov/votes.ts'
import { coinMessage, durationField } from '../wire.ts'
import { itemResponse, given, type QueryMethod, type Methods, ofNumber, ofNumberAndText, ofText } from './answer.ts'
import { type Listed, listed, type PageRequest, prefixPage, pageOfItems, pageRequest } from './page.ts'
import { invalidArgument, notFound, orInternal } from './status.ts'

const service = '/cosmos.gov.v1.Query/'

type Filter = { status: number; voter: string; depositor: string; page: PageRequest | undefined }
export const proposalsRequest = message<Filter>({
  1: ['status', uint32],
  2: ['voter', text],
  3: ['depositor', text],
  4: ['page', nested(pageRequest)],
})
const votingParams = message<{ period: bigint }>({ 1: ['period', durationField] })
const depositParams = message<{ least: readonly Uint8Array[]; period: bigint }>({
  1: ['least', repeated(bytes)],
  2: ['period', durationField],
})
const tallyParams = message<{ quorum: string; threshold: string; veto: string }>({
  1: ['quorum', text],
  2: ['threshold', text],
  3: ['veto', text],
})
type Params = Record<'voting' | 'deposit' | 'tally' | 'params', Uint8Array>
const paramsAnswer = message<Params>({
  1: ['voting', bytes],
  2: ['deposit', bytes],
  3: ['tally', bytes],
  4: ['params', bytes],
})
const constitutionAnswer = message<{ text: string }>({ 1: ['text', text] })
const idRequest = message<{ id: bigint }>({ 1: ['id', uint64] })

export const govQueries: Methods = {
  [`${service}Constitution`]: (context) => constitutionAnswer.encode({ text: constitution(context) }),
  [`${service}Proposal`]: (context, data) => itemResponse(proposalMessage.encode(proposalOf(context, data))),
  [`${service}Proposals`]: (context, data) =>
    listed.encode(proposals(context, proposalsRequest.decode(data), proposalMessage.encode)),
  [`${service}Vote`]: (context, data) => itemResponse(voteMessage(context).encode(voteOf(context, data))),
  [`${service}Votes`]: votesBy((raw) => raw),
  [`${service}Deposit`]: depositQuery,
  [`${service}Deposits`]: depositsQuery,
  [`${service}TallyResult`]: tallyQuery,
  [`${service}Params`]: paramsQuery,
}

/** Returns the requested proposal. Throws if it does not exist. */
export function proposalOf(context: Context, data: Uint8Array): Proposal {
  const { id } = idRequest.decode(data)
  checkId(id)
  const proposal = findProposal(context, id)
  if (proposal === undefined) throw notFound(`proposal ${id} doesn't exist`)
  return proposal
}

/** Returns the page of proposals that match a filter, in a service version's format. */
export function proposals(
  context: Context,
  { status, voter, depositor, page }: Filter,
  spell: (proposal: Proposal) => Uint8Array,
): Listed {
  const filter = orInternal(() => ({
    status,
    voter: voter === '' ? undefined : given(context, voter, ''),
    depositor: depositor === '' ? undefined : given(context, depositor, ''),
  }))
  const found = pageOfItems(context, { ...proposalsPlace, page }, ([, raw]) => filteredProposal(context, filter, raw))
  // Proposals outside the page are only counted: an old version cannot spell each of them.
  return { ...found, items: found.items.map(spell) }
}

/** Returns the requested vote. Throws if it does not exist. */
export function voteOf(context: Context, data: Uint8Array) {
  const { number: id, text: voter } = ofNumberAndText.decode(data)
  checkId(id)
  const vote = findVote(context, id, given(context, voter, 'empty voter address'))
  if (vote === undefined) throw invalidArgument(`voter: ${voter} not found for proposal: ${id}`)
  return vote
}

/** Returns a method that lists votes, in a service version's format. */
export function votesBy(spell: (raw: Uint8Array, context: Context) => Uint8Array): QueryMethod {
  return (context, data) => {
    const { number: id, page } = ofNumber.decode(data)
    checkId(id)
    return listed.encode(prefixPage(context, { ...votesPlace(id), page }, ([, raw]) => spell(raw, context)))
  }
}

/** Returns the response with a deposit, whose bytes are the same in both service versions. */
export function depositQuery(context: Context, data: Uint8Array): Uint8Array {
  const { number: id, text } = ofNumberAndText.decode(data)
  checkId(id)
  const depositor = given(context, text, 'empty depositor address')
  const found = findDeposit(context, { id, depositor })
  if (found === undefined) {
    throw notFound(
      `collections: not found: key '("${id}", "${accountText(context, depositor)}")' of type ` +
        'github.com/cosmos/gogoproto/cosmos.gov.v1.Deposit',
    )
  }
  return itemResponse(depositMessage(context).encode(found))
}

/**
 * Returns the response with a proposal's deposits, whose bytes are the same in both service
 * versions.
 */
export function depositsQuery(context: Context, data: Uint8Array): Uint8Array {
  const { number: id, page } = ofNumber.decode(data)
  checkId(id)
  return listed.encode(prefixPage(context, { ...depositsPlace(id), page }))
}

/**
 * Returns the response with the current tally, whose bytes are the same in both service versions.
 */
export function tallyQuery(context: Context, data: Uint8Array): Uint8Array {
  const proposal = proposalOf(context, data)
  const nothing = { yes: '0', abstain: '0', no: '0', noWithVeto: '0' }
  const tally =
    proposal.status === proposalStatus.depositPeriod
      ? nothing
      : proposal.status === proposalStatus.votingPeriod
        ? countVotes(context, proposal).tally
        : (proposal.tally ?? nothing)
  return itemResponse(tallyMessage.encode(tally))
}

function paramsQuery(context: Context, data: Uint8Array): Uint8Array {
  const { text: kind } = ofText.decode(data)
  const params = govParams(context)
  const all = { params: govParamsMessage.encode(params) }
  switch (kind) {
    case 'voting':
      return paramsAnswer.encode({
        ...all,
        voting: votingParams.encode({ period: params.votingPeriod }),
      })
    case 'deposit':
      return paramsAnswer.encode({
        ...all,
        deposit: depositParams.encode({
          least: params.minDeposit.map((coin) => coinMessage.encode(coin)),
          period: params.maxDepositPeriod,
        }),
      })
    case 'tallying':
      return paramsAnswer.encode({
        ...all,
        tally: tallyParams.encode({
          quorum: params.quorum,
          threshold: params.threshold,
          veto: params.vetoThreshold,
        }),
      })
    case '':
      return paramsAnswer.encode(all)
    default:
      throw invalidArgument(`unknown params type: ${kind}`)
  }
}

function checkId(id: bigint): void {
  if (id === 0n) throw invalidArgument('proposal id can not be 0')
}
