/** /cosmos.gov.v1beta1.Query: x/gov in the format that preceded proposal messages. */
import type { Addressing } from '../address.ts'
import { timestamp } from '../../../codec/protobuf/timestamp.ts'
import { always, message, nested, repeated, uint32, uint64 } from '../../../codec/protobuf/message.ts'
import type { Time } from '../../../data/time.ts'
import { decimalOf } from '../decimal.ts'
import { legacyContentUrl } from '../modules/gov/submit.ts'
import { govParams } from '../modules/gov/params.ts'
import { type Proposal, tallyMessage } from '../modules/gov/proposals.ts'
import { type Vote, voteMessage } from '../modules/gov/votes.ts'
import { sdkError } from '../txError.ts'
import type { Coin } from '../coins.ts'
import { addressed, anyMessage, coinField, digits, durationField, type StoredAny, timeField } from '../wire.ts'
import { itemResponse, type Methods, ofText } from './answer.ts'
import {
  depositQuery,
  depositsQuery,
  proposalsRequest,
  proposalOf,
  proposals,
  tallyQuery,
  voteOf,
  votesBy,
} from './gov.ts'
import { listed } from './page.ts'
import { invalidArgument } from './status.ts'

const service = '/cosmos.gov.v1beta1.Query/'

/** Go's zero time, in seconds since 1970. */
const yearOne: Time = { seconds: -62_135_596_800n, nanos: 0 }

const contentMessage = message<{ content: StoredAny | undefined }>({
  1: ['content', nested(anyMessage)],
})
type Legacy = Pick<
  Proposal,
  'id' | 'status' | 'submitTime' | 'depositEnd' | 'totalDeposit' | 'votingStart' | 'votingEnd' | 'tally'
> & { content: StoredAny | undefined }
const legacyProposal = message<Legacy>({
  1: ['id', uint64],
  2: ['content', nested(anyMessage)],
  3: ['status', uint32],
  4: ['tally', nested(tallyMessage)],
  5: ['submitTime', timeOrZero()],
  6: ['depositEnd', timeOrZero()],
  7: ['totalDeposit', repeated(coinField)],
  8: ['votingStart', timeOrZero()],
  9: ['votingEnd', timeOrZero()],
})
type LegacyVote = Pick<Vote, 'id' | 'voter'> & {
  options: readonly { option: number; weight: bigint }[]
}
const legacyVote = addressed(({ account }) =>
  message<LegacyVote>({
    1: ['id', uint64],
    2: ['voter', account],
    4: [
      'options',
      repeated(
        always(
          message<LegacyVote['options'][number]>({
            1: ['option', uint32],
            2: ['weight', digits],
          }),
        ),
      ),
    ],
  }),
)
type Params = {
  voting: { period: bigint }
  deposit: { least: readonly Coin[]; period: bigint }
  tally: { quorum: bigint; threshold: bigint; veto: bigint }
}
const paramsAnswer = message<Params>({
  1: ['voting', always(message<Params['voting']>({ 1: ['period', durationField] }))],
  2: [
    'deposit',
    always(
      message<Params['deposit']>({
        1: ['least', repeated(coinField)],
        2: ['period', durationField],
      }),
    ),
  ],
  3: [
    'tally',
    always(
      message<Params['tally']>({
        1: ['quorum', digits],
        2: ['threshold', digits],
        3: ['veto', digits],
      }),
    ),
  ],
})

export const govLegacyQueries: Methods = {
  [`${service}Proposal`]: (context, data) => itemResponse(legacyOf(proposalOf(context, data))),
  [`${service}Proposals`]: (context, data) =>
    listed.encode(proposals(context, proposalsRequest.decode(data), legacyOf)),
  [`${service}Vote`]: (context, data) => itemResponse(legacyVoteOf(context, voteOf(context, data))),
  [`${service}Votes`]: votesBy((raw, context) => legacyVoteOf(context, voteMessage(context).decode(raw))),
  [`${service}Deposit`]: depositQuery,
  [`${service}Deposits`]: depositsQuery,
  [`${service}TallyResult`]: tallyQuery,
  [`${service}Params`]: (context, data) => {
    const { text: kind } = ofText.decode(data)
    const params = govParams(context)
    const decimal = (spelled: string): bigint => decimalOf(spelled) ?? 0n
    switch (kind) {
      case 'voting':
        return paramsAnswer.encode({ voting: { period: params.votingPeriod } })
      case 'deposit':
        return paramsAnswer.encode({
          deposit: { least: params.minDeposit, period: params.maxDepositPeriod },
        })
      case 'tallying':
        return paramsAnswer.encode({
          tally: {
            quorum: decimal(params.quorum),
            threshold: decimal(params.threshold),
            veto: decimal(params.vetoThreshold),
          },
        })
      default:
        throw invalidArgument(kind === '' ? ' is not a valid parameter type' : `unknown params type: ${kind}`)
    }
  },
}

// An unset time is Go's zero time here, where version 1 omits it.
function timeOrZero() {
  return {
    ...nested(timestamp),
    isZero: () => false,
    content: (value: Proposal['submitTime']) => timeField.content(value ?? yearOne),
  }
}

function legacyOf(proposal: Proposal): Uint8Array {
  const [first, ...others] = proposal.messages
  if (first === undefined || others.length > 0) {
    throw sdkError(
      'invalidType',
      "can't convert a gov/v1 Proposal to gov/v1beta1 Proposal when " + 'amount of proposal messages not exactly one',
    )
  }
  // A message that is not legacy content is returned as it is.
  const content = first.typeUrl === legacyContentUrl ? contentMessage.decode(first.value).content : first
  return legacyProposal.encode({ ...proposal, content })
}

function legacyVoteOf(at: Addressing, { id, voter, options }: Vote): Uint8Array {
  // The legacy field for votes with a single option stays empty, even for those votes.
  return legacyVote(at).encode({
    id,
    voter,
    options: options.map(({ option, weight }) => ({ option, weight: decimalOf(weight) ?? 0n })),
  })
}
