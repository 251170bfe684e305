/** Submits a proposal (x/gov SubmitProposal). */
import { typeUrls } from '../../../../codec/messages/cosmosEvm.ts'
import { equalBytes } from '../../../../data/bytes.ts'
import { kvGas } from '../../../store.ts'
import { accountText, type Addressing, govModule } from '../../address.ts'
import { blockTime, timeAfter } from '../../blockTime.ts'
import { emit, type Context, type Handler } from '../../context.ts'
import type { AnyMessage } from '../../tx/runHandler.ts'
import { sdkError, TxError } from '../../txError.ts'
import { rewritten } from '../../wire.ts'
import { moduleAccount } from '../auth/accounts.ts'
import type { Coin } from '../../coins.ts'
import { addDeposit, checkDenoms, checkInitialDeposit } from './deposits.ts'
import { readMetadata } from './metadata.ts'
import { govParams } from './params.ts'
import {
  enterQueue,
  govError,
  type Proposal,
  proposalMessage,
  proposalStatus,
  setProposal,
  takeProposalId,
} from './proposals.ts'

export type NewProposal = {
  readonly messages: readonly AnyMessage[]
  readonly deposit: readonly Coin[]
  readonly proposer: Uint8Array
  readonly metadata: string
  readonly title: string
  readonly summary: string
  readonly expedited: boolean
}

/** Type URL of the message that wraps v1beta1 content in a proposal. */
export const legacyContentUrl = '/cosmos.gov.v1.MsgExecLegacyContent'

const maxMetadata = 255
const maxSummary = 10_200

/** Creates a proposal with its initial deposit and returns its ID. Throws the SDK's errors. */
export function submitProposal(context: Context, asked: NewProposal): bigint {
  checkTexts(asked)
  const params = govParams(context)
  checkInitialDeposit(params, { amount: asked.deposit, expedited: asked.expedited })
  checkDenoms(params, asked.deposit)
  const proposal = makeProposal(context, asked)
  const { id } = proposal
  const bytes = proposalMessage.encode(proposal)
  context.gas.consume(3n * kvGas.writePerByte * BigInt(bytes.length), 'submit proposal')
  const deposit = { depositor: asked.proposer, amount: asked.deposit }
  if (addDeposit(context, id, deposit)) {
    emit(context, 'submit_proposal', { voting_period_start: id.toString() })
  }
  return id
}

function checkTexts({ title, summary, messages, metadata }: NewProposal): void {
  if (title === '') throw sdkError('invalidRequest', 'proposal title cannot be empty')
  if (summary === '') throw sdkError('invalidRequest', 'proposal summary cannot be empty')
  if (messages.length === 0 && metadata === '') {
    throw govError(11, 'either metadata or Msgs length must be non-nil: no messages proposed')
  }
  // Metadata in another format than the recommended one is not checked.
  const said = readMetadata(metadata)
  if (said === undefined) return
  for (const [name, given, own] of [
    ['title', said.title, title],
    ['summary', said.summary, summary],
  ] as const) {
    if (given === own) continue
    throw govError(5, `metadata ${name} '${given}' must equal proposal ${name} '${own}': invalid proposal content`)
  }
}

function makeProposal(context: Context, asked: NewProposal): Proposal {
  checkLengths(asked)
  for (const message of asked.messages) checkMessage(context, message)
  const id = takeProposalId(context)
  const depositEnd = timeAfter(context, govParams(context).maxDepositPeriod)
  const proposal: Proposal = {
    id,
    messages: asked.messages.map(rewritten),
    status: proposalStatus.depositPeriod,
    tally: { yes: '0', abstain: '0', no: '0', noWithVeto: '0' },
    submitTime: blockTime(context),
    depositEnd,
    totalDeposit: [],
    votingStart: undefined,
    votingEnd: undefined,
    metadata: asked.metadata,
    title: asked.title,
    summary: asked.summary,
    proposer: accountText(context, asked.proposer),
    expedited: asked.expedited,
    failedReason: '',
  }
  setProposal(context, proposal)
  enterQueue(context, 'inactive', { id, time: depositEnd })
  emit(context, 'submit_proposal', {
    proposal_id: id.toString(),
    proposal_proposer: proposal.proposer,
    proposal_messages: asked.messages.map(({ typeUrl }) => `,${typeUrl}`).join(''),
  })
  return proposal
}

function checkLengths({ metadata, title, summary }: NewProposal): void {
  for (const text of [metadata, title]) checkMetadataLength(text)
  const { length } = new TextEncoder().encode(summary)
  if (length > maxSummary) throw govError(22, `got summary with length ${length}: summary too long`)
}

/** Throws if the metadata of a proposal or a vote has more than 255 bytes. */
export function checkMetadataLength(metadata: string): void {
  const { length } = new TextEncoder().encode(metadata)
  if (length > maxMetadata) throw govError(15, `got metadata with length ${length}: metadata too long`)
}

function checkMessage(context: Context, message: AnyMessage): void {
  // The node loses the raw transaction of such a message, so it refuses every one.
  if (message.typeUrl === typeUrls.msgEthereumTx) {
    throw govError(12, 'raw transaction is required: invalid request: invalid proposal message')
  }
  const handler = context.fixed.route(message.typeUrl)
  if (handler === undefined) {
    throw govError(10, `${message.typeUrl}: proposal message not recognized by router`)
  }
  checkBasics(context, handler, message)
  const [signer, ...others] = handler.signers(message.value, context)
  const text = 'expected gov account as only signer for proposal message'
  if (signer === undefined || others.length > 0) throw govError(13, text)
  moduleAccount(context, 'gov')
  if (!equalBytes(signer, govModule)) throw govError(13, `${accountText(context, signer)}: ${text}`)
  // v1beta1 content has no effect, so it is run now to find out whether it is valid.
  if (message.typeUrl === legacyContentUrl) handler.run(context, message.value)
}

function checkBasics(at: Addressing, { validate }: Handler, { value }: AnyMessage): void {
  try {
    validate?.(value, at)
  } catch (error) {
    throw error instanceof TxError ? govError(12, `${error.message}: invalid proposal message`) : error
  }
}
