import { headerHashNames, type HeaderHash } from '../headerHashes.ts'
import { type BlockId, type Commit, type Vote, blockId, commit, vote } from '../votes.ts'
import type { Time } from '../../data/time.ts'
import {
  type FieldType,
  always,
  bool,
  bytes,
  int32,
  int64,
  message,
  nested,
  repeated,
  sfixed64,
  text,
  uint32,
  uint64,
} from './message.ts'
import { timestamp } from './timestamp.ts'

/*
 * CometBFT messages whose bytes are hashed, signed or counted (comet-rpc.md §5). Field numbers
 * match tendermint.types and tendermint.abci in v0.38.
 */

export type Version = { block: bigint; app: bigint }
export type Header = {
  version: Version
  chainId: string
  height: bigint
  time: Time
  lastBlockId: BlockId
} & Record<HeaderHash, Uint8Array>
export type Data = { txs: readonly Uint8Array[] }
export type DuplicateVoteEvidence = {
  voteA: Vote | undefined
  voteB: Vote | undefined
  totalVotingPower: bigint
  validatorPower: bigint
  timestamp: Time
}
export type PublicKey = { ed25519: Uint8Array; secp256k1: Uint8Array }
export type SimpleValidator = { pubKey: PublicKey | undefined; votingPower: bigint }
export type Validator = {
  address: Uint8Array
  pubKey: PublicKey
  votingPower: bigint
  proposerPriority: bigint
}
export type ValidatorSet = {
  validators: readonly Validator[]
  proposer: Validator | undefined
  totalVotingPower: bigint
}
export type SignedHeader = { header: Header | undefined; commit: Commit | undefined }
export type LightBlock = {
  signedHeader: SignedHeader | undefined
  validatorSet: ValidatorSet | undefined
}
export type LightClientAttackEvidence = {
  conflictingBlock: LightBlock | undefined
  commonHeight: bigint
  byzantineValidators: readonly Validator[]
  totalVotingPower: bigint
  timestamp: Time
}
export type Evidence = {
  duplicateVote: DuplicateVoteEvidence | undefined
  lightClientAttack: LightClientAttackEvidence | undefined
}
export type EvidenceList = { evidence: readonly Evidence[] }
export type Block = {
  header: Header
  data: Data
  evidence: EvidenceList
  lastCommit: Commit | undefined
}
export type CanonicalVote = {
  type: number
  height: bigint
  round: bigint
  blockId: BlockId | undefined
  timestamp: Time
  chainId: string
}
export type HashedParams = { blockMaxBytes: bigint; blockMaxGas: bigint }
export type EventAttribute = { key: string; value: string; index: boolean }
export type Event = { type: string; attributes: readonly EventAttribute[] }
/** A transaction result; its deterministic form omits log, info, events and codespace. */
export type ExecTxResult = {
  code: number
  data: Uint8Array
  log: string
  info: string
  gasWanted: bigint
  gasUsed: bigint
  events: readonly Event[]
  codespace: string
}
export type DeterministicTxResult = Pick<ExecTxResult, 'code' | 'data' | 'gasWanted' | 'gasUsed'>

// A missing timestamp decodes as the Unix epoch, because zero seconds are not written.
const time: FieldType<Time> = always(timestamp)

export const version = message<Version>({ 1: ['block', uint64], 2: ['app', uint64] })

export const header = message<Header>({
  1: ['version', always(version)],
  2: ['chainId', text],
  3: ['height', int64],
  4: ['time', time],
  5: ['lastBlockId', always(blockId.message)],
  ...Object.fromEntries(headerHashNames.map((name, index) => [6 + index, [name, bytes] as const])),
})

export const data = message<Data>({ 1: ['txs', repeated(bytes)] })

export const publicKey = message<PublicKey>({ 1: ['ed25519', bytes], 2: ['secp256k1', bytes] })
export const simpleValidator = message<SimpleValidator>({
  1: ['pubKey', nested(publicKey)],
  2: ['votingPower', int64],
})
export const validator = message<Validator>({
  1: ['address', bytes],
  2: ['pubKey', always(publicKey)],
  3: ['votingPower', int64],
  4: ['proposerPriority', int64],
})
export const validatorSet = message<ValidatorSet>({
  1: ['validators', repeated(always(validator))],
  2: ['proposer', nested(validator)],
  3: ['totalVotingPower', int64],
})

export const duplicateVoteEvidence = message<DuplicateVoteEvidence>({
  1: ['voteA', nested(vote.message)],
  2: ['voteB', nested(vote.message)],
  3: ['totalVotingPower', int64],
  4: ['validatorPower', int64],
  5: ['timestamp', time],
})
const signedHeader = message<SignedHeader>({
  1: ['header', nested(header)],
  2: ['commit', nested(commit.message)],
})
const lightBlock = message<LightBlock>({
  1: ['signedHeader', nested(signedHeader)],
  2: ['validatorSet', nested(validatorSet)],
})
export const lightClientAttackEvidence = message<LightClientAttackEvidence>({
  1: ['conflictingBlock', nested(lightBlock)],
  2: ['commonHeight', int64],
  3: ['byzantineValidators', repeated(always(validator))],
  4: ['totalVotingPower', int64],
  5: ['timestamp', time],
})
export const evidence = message<Evidence>({
  1: ['duplicateVote', nested(duplicateVoteEvidence)],
  2: ['lightClientAttack', nested(lightClientAttackEvidence)],
})
const evidenceList = message<EvidenceList>({ 1: ['evidence', repeated(always(evidence))] })
export const block = message<Block>({
  1: ['header', always(header)],
  2: ['data', always(data)],
  3: ['evidence', always(evidenceList)],
  4: ['lastCommit', nested(commit.message)],
})

/**
 * The message that validators sign; its length-prefixed form is the sign bytes (comet-rpc.md §5.5).
 */
export const canonicalVote = message<CanonicalVote>({
  1: ['type', int32],
  2: ['height', sfixed64],
  3: ['round', sfixed64],
  4: ['blockId', nested(blockId.message)],
  5: ['timestamp', time],
  6: ['chainId', text],
})

/** The consensus parameters covered by the consensus hash (comet-rpc.md §5.3). */
export const hashedParams = message<HashedParams>({
  1: ['blockMaxBytes', int64],
  2: ['blockMaxGas', int64],
})

const eventAttribute = message<EventAttribute>({
  1: ['key', text],
  2: ['value', text],
  3: ['index', bool],
})
export const event = message<Event>({
  1: ['type', text],
  2: ['attributes', repeated(always(eventAttribute))],
})
export const execTxResult = message<ExecTxResult>({
  1: ['code', uint32],
  2: ['data', bytes],
  3: ['log', text],
  4: ['info', text],
  5: ['gasWanted', int64],
  6: ['gasUsed', int64],
  7: ['events', repeated(always(event))],
  8: ['codespace', text],
})

/** The part of a transaction result covered by the last-results hash (comet-rpc.md §5.3). */
export const deterministicTxResult = message<DeterministicTxResult>({
  1: ['code', uint32],
  2: ['data', bytes],
  5: ['gasWanted', int64],
  6: ['gasUsed', int64],
})

/** Wrapper messages whose bytes are the leaves of the header hash (comet-rpc.md §5.2). */
export const stringValue = message<{ value: string }>({ 1: ['value', text] })
export const int64Value = message<{ value: bigint }>({ 1: ['value', int64] })
export const bytesValue = message<{ value: Uint8Array }>({ 1: ['value', bytes] })
