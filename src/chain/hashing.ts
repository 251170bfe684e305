/** CometBFT's hashes of headers, their parts and part sets (`comet-rpc.md` §5). */
import { headerHashNames } from '../codec/headerHashes.ts'
import type { ConsensusParams, PublicKey, TxResult } from '../app/abci.ts'
import * as wire from '../codec/protobuf/comet.ts'
import { timestamp } from '../codec/protobuf/timestamp.ts'
import * as votes from '../codec/votes.ts'
import { sha256 } from '../crypto/hash.ts'
import { merkleLeaf, merkleRoot, merkleTree, type MerkleTree } from '../crypto/merkle.ts'
import { fromBinaryString } from '../data/binaryString.ts'
import { concatBytes } from '../data/bytes.ts'
import { remembered } from '../data/remembered.ts'
import type {
  Block,
  BlockId,
  Commit,
  DuplicateVoteEvidence,
  Evidence,
  Header,
  Validator,
  ValidatorSet,
  Vote,
} from './block.ts'

const noBytes = new Uint8Array(0)
const partBytes = 65_536

/** The empty block id, used as the parent of block 1 and in nil votes. */
export const zeroBlockId: BlockId = { hash: noBytes, parts: { total: 0, hash: noBytes } }

/** The Merkle root of an empty list: sha256 of the empty string. */
export const emptyRoot: Uint8Array = merkleRoot([])

/**
 * Returns the hash of a block, 32 bytes: the Merkle root of its header's 14 encoded fields (§5.2).
 */
export function headerHash(header: Header): Uint8Array {
  const before = lastHeader
  const leaves = headerFields.map(({ name, encode }, index) => {
    const known = before !== undefined && header[name] === before.header[name] ? before.leaves[index] : undefined
    return known ?? merkleLeaf(encode(header))
  })
  const tree = merkleTree(leaves, before?.tree)
  lastHeader = { header, leaves, tree }
  return fromBinaryString(tree.root)
}

const headerFields: readonly { readonly name: keyof Header; readonly encode: (header: Header) => Uint8Array }[] = [
  { name: 'version', encode: ({ version }) => wire.version.encode(version) },
  { name: 'chainId', encode: ({ chainId }) => wire.stringValue.encode({ value: chainId }) },
  { name: 'height', encode: ({ height }) => wire.int64Value.encode({ value: height }) },
  { name: 'time', encode: ({ time }) => timestamp.encode(time) },
  { name: 'lastBlockId', encode: ({ lastBlockId }) => votes.blockId.message.encode(lastBlockId) },
  ...headerHashNames.map((name) => ({
    name,
    encode: (header: Header) => wire.bytesValue.encode({ value: header[name] }),
  })),
]

// Most fields are the same object as in the header before, and so are their hashes.
let lastHeader: { readonly header: Header; readonly leaves: readonly string[]; readonly tree: MerkleTree } | undefined

/** Returns the Merkle root of transaction hashes. */
export function dataHash(txHashes: readonly Uint8Array[]): Uint8Array {
  return txHashes.length === 0 ? emptyRoot : merkleRoot(txHashes)
}

/** Returns the Merkle root of a commit's signatures. */
export function commitHash(commit: Commit): Uint8Array {
  return merkleRoot(commit.signatures.map((one) => votes.commitSig.message.encode(one)))
}

/** Returns the Merkle root of a validator set's keys and powers, in set order. Cached per list. */
export function validatorsHash({ validators }: ValidatorSet): Uint8Array {
  return hashOfValidators(validators)
}

const hashOfValidators = remembered(
  (validators: ValidatorSet['validators']): Uint8Array =>
    merkleRoot(
      validators.map(({ publicKey, power }) =>
        wire.simpleValidator.encode({ pubKey: keyMessage(publicKey), votingPower: power }),
      ),
    ),
)

/** Returns the hash of the consensus parameters that headers commit to: maximum bytes and gas. */
export const consensusHash = remembered(
  ({ block }: ConsensusParams): Uint8Array =>
    sha256(wire.hashedParams.encode({ blockMaxBytes: block.maxBytes, blockMaxGas: block.maxGas })),
)

/** Returns the Merkle root of the deterministic fields of transaction results. */
export function resultsHash(results: readonly TxResult[]): Uint8Array {
  return merkleRoot(
    results.map(({ code, data, gasWanted, gasUsed }) =>
      wire.deterministicTxResult.encode({ code, data: data ?? noBytes, gasWanted, gasUsed }),
    ),
  )
}

/** Returns the Merkle root of a list of evidence. */
export function evidenceListHash(evidence: readonly Evidence[]): Uint8Array {
  return evidence.length === 0 ? emptyRoot : merkleRoot(evidence.map(evidenceBytes))
}

/** Returns the id of one piece of evidence (§5.11). */
export function evidenceHash(evidence: Evidence): Uint8Array {
  if (evidence.type === 'duplicateVote') return sha256(evidenceBytes(evidence))
  // CometBFT copies 31 bytes of the hash into 32: the last one is lost (§5.11).
  const { conflicting, commonHeight } = evidence
  const zigzag = wire.int64Value.encode({ value: commonHeight << 1n }).subarray(1)
  return sha256(concatBytes([headerHash(conflicting.header).subarray(0, 31), new Uint8Array(1), zigzag]))
}

/** Returns evidence as protobuf, without the wrapper that states its type (§5.3). */
export function evidenceBytes(evidence: Evidence): Uint8Array {
  return evidence.type === 'duplicateVote'
    ? wire.duplicateVoteEvidence.encode(duplicateVoteMessage(evidence))
    : wire.lightClientAttackEvidence.encode(attackMessage(evidence))
}

/** Returns a block as protobuf (§5.4). */
export function blockBytes(block: Block): Uint8Array {
  return wire.block.encode({
    header: block.header,
    data: { txs: block.txs },
    evidence: { evidence: block.evidence.map(evidenceMessage) },
    lastCommit: block.lastCommit,
  })
}

/** Returns a block's protobuf size in bytes and its part set (§5.4). */
export function blockParts(block: Block): { sizeBytes: number; parts: BlockId['parts'] } {
  const bytes = blockBytes(block)
  const total = Math.ceil(bytes.length / partBytes)
  const parts = Array.from({ length: total }, (_, index) => bytes.subarray(index * partBytes, (index + 1) * partBytes))
  return { sizeBytes: bytes.length, parts: { total, hash: merkleRoot(parts) } }
}

/**
 * Returns the bytes that a validator signs to vote for a block; a nil vote has no block id (§5.5).
 */
export function voteSignBytes(
  vote: Pick<Vote, 'type' | 'height' | 'round' | 'time'> & { blockId: BlockId | undefined },
  chainId: string,
): Uint8Array {
  const { type, height, round, time, blockId } = vote
  const body = wire.canonicalVote.encode({
    type,
    height,
    round: BigInt(round),
    blockId,
    timestamp: time,
    chainId,
  })
  return concatBytes([lengthPrefix(body.length), body])
}

/** Encodes a length below 16384 as an unsigned varint. */
function lengthPrefix(length: number): Uint8Array {
  return length < 128 ? Uint8Array.of(length) : Uint8Array.of((length & 127) | 128, length >> 7)
}

function keyMessage({ type, bytes }: PublicKey): wire.PublicKey {
  return {
    ed25519: type === 'ed25519' ? bytes : noBytes,
    secp256k1: type === 'secp256k1' ? bytes : noBytes,
  }
}

function duplicateVoteMessage(evidence: DuplicateVoteEvidence): wire.DuplicateVoteEvidence {
  const { voteA, voteB, totalPower, validatorPower, time } = evidence
  return {
    voteA,
    voteB,
    totalVotingPower: totalPower,
    validatorPower,
    timestamp: time,
  }
}

function validatorMessage({ address, publicKey, power, priority }: Validator): wire.Validator {
  return { address, pubKey: keyMessage(publicKey), votingPower: power, proposerPriority: priority }
}

function attackMessage(evidence: Extract<Evidence, { type: 'lightClientAttack' }>): wire.LightClientAttackEvidence {
  const {
    conflicting: { header, commit, validators },
    commonHeight,
    byzantine,
    totalPower,
    time,
  } = evidence
  const proposer = validators.validators[validators.proposer]
  return {
    conflictingBlock: {
      signedHeader: { header, commit },
      validatorSet: {
        validators: validators.validators.map(validatorMessage),
        proposer: proposer && validatorMessage(proposer),
        // Unexported in Go, so it is not sent.
        totalVotingPower: 0n,
      },
    },
    commonHeight,
    byzantineValidators: byzantine.map(validatorMessage),
    totalVotingPower: totalPower,
    timestamp: time,
  }
}

function evidenceMessage(evidence: Evidence): wire.Evidence {
  return evidence.type === 'duplicateVote'
    ? { duplicateVote: duplicateVoteMessage(evidence), lightClientAttack: undefined }
    : { duplicateVote: undefined, lightClientAttack: attackMessage(evidence) }
}
