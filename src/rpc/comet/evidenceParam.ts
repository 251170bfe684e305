/**
 * Reads evidence and makes the checks that need no chain (CometBFT `types/evidence.go`,
 * `types/vote.go`).
 */
import type { BlockId, DuplicateVoteEvidence, Evidence, Vote } from '../../chain/block.ts'
import { int64, pointer, time, type CometCodec } from '../../codec/comet.ts'
import { struct, variant, type Variant } from '../../codec/cometParams.ts'
import type { Time } from '../../data/time.ts'
import { attackCodec, attackOf, type WireAttack } from './attackParam.ts'
import { failed } from './errors.ts'
import { addressProblem, hashProblem, signatureProblem } from './basicChecks.ts'
import { blockIdText, voteText } from './voteText.ts'
import { partSetHeader, vote, type Vote as WireVote } from '../../codec/votes.ts'
import { compareBytes, concatBytes } from '../../data/bytes.ts'

const duplicateVote = 'tendermint/DuplicateVoteEvidence'
const clientAttack = 'tendermint/LightClientAttackEvidence'

/** Type names that CometBFT registers for other kinds of values. */
const foreign = [
  'tendermint/PubKeyEd25519',
  'tendermint/PubKeySecp256k1',
  'tendermint/PrivKeyEd25519',
  'tendermint/PrivKeySecp256k1',
]

type WireDuplicate = {
  readonly vote_a: WireVote | undefined
  readonly vote_b: WireVote | undefined
  readonly TotalVotingPower: bigint
  readonly ValidatorPower: bigint
  readonly Timestamp: Time
}

const duplicateCodec = struct<WireDuplicate>({
  vote_a: pointer(vote.codec),
  vote_b: pointer(vote.codec),
  TotalVotingPower: int64,
  ValidatorPower: int64,
  Timestamp: time,
})

export const evidenceCodec: CometCodec<Variant | undefined> = variant(
  {
    [duplicateVote]: duplicateCodec as CometCodec<unknown>,
    [clientAttack]: attackCodec as CometCodec<unknown>,
  },
  foreign,
)

/** Returns the decoded evidence. Throws if it is invalid on any chain. */
export function evidenceOf({ type, value }: Variant): Evidence {
  if (type === clientAttack) {
    const attack = attackOf(value as WireAttack)
    if (typeof attack === 'string') throw invalid(attack)
    return attack
  }
  const given = value as WireDuplicate
  const { vote_a: first, vote_b: second } = given
  if (first === undefined || second === undefined) {
    throw invalid(`one or both of the votes are empty ${printed(first)}, ${printed(second)}`)
  }
  const evidence: DuplicateVoteEvidence = {
    type: 'duplicateVote',
    voteA: voteOf(first, 'A'),
    voteB: voteOf(second, 'B'),
    totalPower: given.TotalVotingPower,
    validatorPower: given.ValidatorPower,
    time: given.Timestamp,
  }
  if (compareIds(evidence.voteA.blockId, evidence.voteB.blockId) >= 0) {
    throw invalid('duplicate votes in invalid order')
  }
  return evidence
}

function invalid(text: string): Error {
  return failed(`evidence.ValidateBasic failed: ${text}`)
}

function printed(given: WireVote | undefined): string {
  return given === undefined ? 'nil-Vote' : voteText({ ...typed(given), hash: given.blockId.hash })
}

function typed(given: WireVote): Vote {
  return { ...given, type: given.type === 1 ? 1 : 2 }
}

function voteOf(given: WireVote, name: 'A' | 'B'): Vote {
  const problem = voteProblem(given)
  if (problem !== undefined) throw invalid(`invalid Vote${name}: ${problem}`)
  return typed(given)
}

function voteProblem(given: WireVote): string | undefined {
  const { type, height, round, blockId: id, validatorAddress, validatorIndex, signature } = given
  if (type !== 1 && type !== 2) return 'invalid Type'
  if (height <= 0n) return 'negative or zero Height'
  if (round < 0) return 'negative Round'
  const idProblem = blockIdProblem(id)
  if (idProblem !== undefined) return idProblem
  return (
    addressProblem(validatorAddress) ?? (validatorIndex < 0 ? 'negative ValidatorIndex' : signatureProblem(signature))
  )
}

/** A hash is 32 bytes or empty; a block id is complete or empty. */
function blockIdProblem({ hash, parts }: BlockId): string | undefined {
  if (hashProblem(hash) !== undefined) return 'wrong BlockID: wrong Hash'
  const partsProblem = hashProblem(parts.hash)
  if (partsProblem !== undefined) {
    return `wrong BlockID: wrong PartSetHeader: wrong Hash: ${partsProblem}`
  }
  const isZero = hash.length === 0 && parts.total === 0 && parts.hash.length === 0
  const isComplete = hash.length === 32 && parts.total > 0 && parts.hash.length === 32
  return isZero || isComplete
    ? undefined
    : `blockID must be either empty or complete, got: ${blockIdText({ hash, parts })}`
}

/** CometBFT orders block ids by hash, then by the bytes of the part set header (`BlockID.Key`). */
function compareIds(a: BlockId, b: BlockId): number {
  const keyOf = ({ hash, parts }: BlockId) => concatBytes([hash, partSetHeader.message.encode(parts)])
  return compareBytes(keyOf(a), keyOf(b))
}
