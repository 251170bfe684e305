/** Votes and deposits in the store `gov`. */
import { message, repeated, text, uint32, uint64, always } from '../../../../codec/protobuf/message.ts'
import type { Context } from '../../context.ts'
import { bigEndian, prefixRange, sized, storeKey } from '../../storeKeys.ts'
import { addressed, coinField } from '../../wire.ts'
import type { Coin } from '../../coins.ts'

/** An option of a vote. `weight` is a decimal in text, such as `1.000000000000000000`. */
export type VoteOption = { option: number; weight: string }
export type Vote = {
  id: bigint
  voter: Uint8Array
  options: readonly VoteOption[]
  metadata: string
}
export type Deposit = { id: bigint; depositor: Uint8Array; amount: readonly Coin[] }

/** VoteOption. */
export const voteOptions = { yes: 1, abstain: 2, no: 3, noWithVeto: 4 } as const

const optionNames = [
  'VOTE_OPTION_UNSPECIFIED',
  'VOTE_OPTION_YES',
  'VOTE_OPTION_ABSTAIN',
  'VOTE_OPTION_NO',
  'VOTE_OPTION_NO_WITH_VETO',
]

/** Returns whether a vote may choose an option. */
export function isVoteOption(option: number): boolean {
  return option >= voteOptions.yes && option <= voteOptions.noWithVeto
}

/** Returns an option's name as Go prints it; an unknown option is its 32-bit signed number. */
export function optionText(option: number): string {
  return optionNames[option] ?? String(option | 0)
}

export const voteOptionMessage = message<VoteOption>({ 1: ['option', uint32], 2: ['weight', text] })
export const voteMessage = addressed(({ account }) =>
  message<Vote>({
    1: ['id', uint64],
    2: ['voter', account],
    4: ['options', repeated(always(voteOptionMessage))],
    5: ['metadata', text],
  }),
)
export const depositMessage = addressed(({ account }) =>
  message<Deposit>({
    1: ['id', uint64],
    2: ['depositor', account],
    3: ['amount', repeated(coinField)],
  }),
)

const prefix = { deposit: 16, vote: 32 } as const

/** Stores a vote. */
export function setVote(context: Context, vote: Vote): void {
  context.store('gov').set(voteKey(vote.id, vote.voter), voteMessage(context).encode(vote))
}

/** Returns the vote of a voter on a proposal, or undefined. */
export function findVote(context: Context, id: bigint, voter: Uint8Array): Vote | undefined {
  const value = context.store('gov').get(voteKey(id, voter))
  return value === undefined ? undefined : voteMessage(context).decode(value)
}

/** Returns whether a voter has voted on a proposal. */
export function hasVote(context: Context, id: bigint, voter: Uint8Array): boolean {
  return context.store('gov').has(voteKey(id, voter))
}

/** Returns the store and key prefix of the votes on a proposal, ordered by voter. */
export function votesPlace(id: bigint) {
  return {
    store: 'gov',
    prefix: storeKey(prefix.vote, bigEndian(id)),
    isCollection: true,
  } as const
}

/** Returns the votes on a proposal, ordered by voter. */
export function votesOn(context: Context, id: bigint): readonly Vote[] {
  return [...context.store('gov').iterate(prefixRange(votesPlace(id).prefix))].map(([, value]) =>
    voteMessage(context).decode(value),
  )
}

/** Deletes a vote. */
export function deleteVote(context: Context, { id, voter }: Pick<Vote, 'id' | 'voter'>): void {
  context.store('gov').delete(voteKey(id, voter))
}

/** Deletes the votes on a proposal. */
export function deleteVotes(context: Context, id: bigint): void {
  const range = prefixRange(votesPlace(id).prefix)
  for (const [key] of [...context.store('gov').iterate(range)]) context.store('gov').delete(key)
}

/** Stores a deposit. */
export function setDeposit(context: Context, deposit: Deposit): void {
  context.store('gov').set(depositKey(deposit), depositMessage(context).encode(deposit))
}

/** Returns an account's deposit on a proposal, or undefined. */
export function findDeposit(context: Context, of: Pick<Deposit, 'id' | 'depositor'>): Deposit | undefined {
  const value = context.store('gov').get(depositKey(of))
  return value === undefined ? undefined : depositMessage(context).decode(value)
}

/** Returns whether an account has deposited on a proposal. */
export function hasDeposit(context: Context, of: Pick<Deposit, 'id' | 'depositor'>): boolean {
  return context.store('gov').has(depositKey(of))
}

/** Returns the store and key prefix of the deposits on a proposal, ordered by depositor. */
export function depositsPlace(id: bigint) {
  return {
    store: 'gov',
    prefix: storeKey(prefix.deposit, bigEndian(id)),
    isCollection: true,
  } as const
}

/** Returns the deposits on a proposal, ordered by depositor. */
export function depositsOn(context: Context, id: bigint): readonly Deposit[] {
  return [...context.store('gov').iterate(prefixRange(depositsPlace(id).prefix))].map(([, value]) =>
    depositMessage(context).decode(value),
  )
}

/** Deletes a deposit. */
export function deleteDeposit(context: Context, of: Pick<Deposit, 'id' | 'depositor'>): void {
  context.store('gov').delete(depositKey(of))
}

function voteKey(id: bigint, voter: Uint8Array): Uint8Array {
  return storeKey(prefix.vote, bigEndian(id), sized(voter))
}

function depositKey({ id, depositor }: Pick<Deposit, 'id' | 'depositor'>): Uint8Array {
  return storeKey(prefix.deposit, bigEndian(id), sized(depositor))
}
