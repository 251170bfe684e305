/** Proposals in the store `gov`, and their queues by time (x/gov keeper/proposal.go). */
import { timestamp } from '../../../../codec/protobuf/timestamp.ts'
import { always, bool, message, nested, repeated, text, uint32, uint64 } from '../../../../codec/protobuf/message.ts'
import type { Time } from '../../../../data/time.ts'
import { timeKey } from '../../blockTime.ts'
import type { Context } from '../../context.ts'
import { bigEndian, rangeUpTo, readBigEndian, storeKey } from '../../storeKeys.ts'
import type { AnyMessage } from '../../tx/runHandler.ts'
import { goError, TxError } from '../../txError.ts'
import { anyMessage, coinField } from '../../wire.ts'
import type { Coin } from '../../coins.ts'

/** Voting power by option, as integers in text. */
export type Tally = { yes: string; abstain: string; no: string; noWithVeto: string }

export type Proposal = {
  id: bigint
  messages: readonly AnyMessage[]
  status: number
  tally: Tally | undefined
  submitTime: Time | undefined
  depositEnd: Time | undefined
  totalDeposit: readonly Coin[]
  votingStart: Time | undefined
  votingEnd: Time | undefined
  metadata: string
  title: string
  summary: string
  proposer: string
  expedited: boolean
  failedReason: string
}

/** ProposalStatus. */
export const proposalStatus = {
  depositPeriod: 1,
  votingPeriod: 2,
  passed: 3,
  rejected: 4,
  failed: 5,
} as const

export const tallyMessage = message<Tally>({
  1: ['yes', text],
  2: ['abstain', text],
  3: ['no', text],
  4: ['noWithVeto', text],
})

export const proposalMessage = message<Proposal>({
  1: ['id', uint64],
  2: ['messages', repeated(always(anyMessage))],
  3: ['status', uint32],
  4: ['tally', nested(tallyMessage)],
  5: ['submitTime', nested(timestamp)],
  6: ['depositEnd', nested(timestamp)],
  7: ['totalDeposit', repeated(coinField)],
  8: ['votingStart', nested(timestamp)],
  9: ['votingEnd', nested(timestamp)],
  10: ['metadata', text],
  11: ['title', text],
  12: ['summary', text],
  13: ['proposer', text],
  14: ['expedited', bool],
  15: ['failedReason', text],
})

const prefix = { proposal: 0, active: 1, inactive: 2, nextId: 3, voting: 4 } as const

/** Returns an error of codespace `gov`. */
export function govError(code: number, text: string): TxError {
  return new TxError(text, { code, codespace: 'gov' })
}

/** Returns a proposal, or undefined. */
export function findProposal(context: Context, id: bigint): Proposal | undefined {
  const value = context.store('gov').get(storeKey(prefix.proposal, bigEndian(id)))
  return value === undefined ? undefined : proposalMessage.decode(value)
}

/** Returns a proposal. Throws the SDK's `collections: not found`. */
export function getProposal(context: Context, id: bigint): Proposal {
  const proposal = findProposal(context, id)
  if (proposal !== undefined) return proposal
  throw goError(`collections: not found: key '${id}' of type github.com/cosmos/gogoproto/cosmos.gov.v1.Proposal`)
}

/** Returns the next proposal ID and increments it. */
export function takeProposalId(context: Context): bigint {
  const store = context.store('gov')
  const key = Uint8Array.of(prefix.nextId)
  const id = readBigEndian(store.get(key))
  store.set(key, bigEndian(id + 1n))
  return id
}

/** Stores a proposal, and whether it is in its voting period. */
export function setProposal(context: Context, proposal: Proposal): void {
  const store = context.store('gov')
  const voting = storeKey(prefix.voting, bigEndian(proposal.id))
  if (proposal.status === proposalStatus.votingPeriod) store.set(voting, Uint8Array.of(1))
  else store.delete(voting)
  store.set(storeKey(prefix.proposal, bigEndian(proposal.id)), proposalMessage.encode(proposal))
}

/** Returns whether a proposal is in its voting period. */
export function isVoting(context: Context, id: bigint): boolean {
  return context.store('gov').has(storeKey(prefix.voting, bigEndian(id)))
}

/** Removes a proposal and its queue entries. */
export function deleteProposal(context: Context, id: bigint): void {
  const { depositEnd, votingEnd } = getProposal(context, id)
  if (depositEnd !== undefined) leaveQueue(context, 'inactive', { id, time: depositEnd })
  if (votingEnd !== undefined) {
    leaveQueue(context, 'active', { id, time: votingEnd })
    context.store('gov').delete(storeKey(prefix.voting, bigEndian(id)))
  }
  context.store('gov').delete(storeKey(prefix.proposal, bigEndian(id)))
}

/** Proposals in the deposit period are inactive; those in the voting period are active. */
export type Queue = 'active' | 'inactive'
type QueueEntry = { readonly id: bigint; readonly time: Time }

/** Adds a proposal to a queue. */
export function enterQueue(context: Context, queue: Queue, place: QueueEntry): void {
  context.store('gov').set(queueKey(queue, place), bigEndian(place.id))
}

/** Removes a proposal from a queue. */
export function leaveQueue(context: Context, queue: Queue, place: QueueEntry): void {
  context.store('gov').delete(queueKey(queue, place))
}

/** Returns the proposals in a queue that are due at a time. */
export function dueProposals(context: Context, queue: Queue, time: Time): readonly bigint[] {
  const first = Uint8Array.of(prefix[queue])
  const last = storeKey(prefix[queue], timeKey(time), new Uint8Array(8).fill(255))
  return [...context.store('gov').iterate(rangeUpTo(first, last))].map(([, value]) => readBigEndian(value))
}

function queueKey(queue: Queue, { id, time }: QueueEntry): Uint8Array {
  return storeKey(prefix[queue], timeKey(time), bigEndian(id))
}
