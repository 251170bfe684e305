/**
 * A light client over the JSON of CometBFT RPC, written from the specification (CometBFT spec/core,
 * ICS-23). It shares nothing with src/: hashes and signatures are noble's, encodings cosmjs-types',
 * store proofs ics23's.
 */
import { iavlSpec, ics23, tendermintSpec, verifyExistence, verifyNonExistence } from '@confio/ics23'
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { BinaryWriter } from 'cosmjs-types/binary'
import { PublicKey } from 'cosmjs-types/tendermint/crypto/keys'
import { BlockID, CommitSig } from 'cosmjs-types/tendermint/types/types'
import { SimpleValidator } from 'cosmjs-types/tendermint/types/validator'
import { Consensus } from 'cosmjs-types/tendermint/version/types'
import { Timestamp } from 'cosmjs-types/google/protobuf/timestamp'

type WireId = { hash: string; parts: { total: number; hash: string } }
type Names =
  | 'last_commit_hash'
  | 'data_hash'
  | 'validators_hash'
  | 'next_validators_hash'
  | 'consensus_hash'
  | 'app_hash'
  | 'last_results_hash'
  | 'evidence_hash'
  | 'proposer_address'
export type WireHeader = Record<Names, string> & {
  version: { block: string; app?: string }
  chain_id: string
  height: string
  time: string
  last_block_id: WireId
}
export type WireCommit = {
  height: string
  round: number
  block_id: WireId
  signatures: {
    block_id_flag: number
    validator_address: string
    timestamp: string
    signature: string | null
  }[]
}
export type WireValidator = { address: string; pub_key: { value: string }; voting_power: string }
export type Signed = { header: WireHeader; commit: WireCommit; validators: WireValidator[] }
export type WireProof = { total: string; index: string; leaf_hash: string; aunts: string[] }
export type WireOp = { type: string; key: string; data: string }

const hex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))
const base64 = (text: string) => new Uint8Array(Buffer.from(text, 'base64'))
const upper = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex').toUpperCase()
const joined = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts))

const leafHash = (bytes: Uint8Array) => sha256(joined(Uint8Array.of(0), bytes))
const innerHash = (left: Uint8Array, right: Uint8Array) => sha256(joined(Uint8Array.of(1), left, right))

/** RFC 6962: the left subtree is the largest power of two below the number of leaves. */
export function merkleRoot(leaves: Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return sha256(new Uint8Array(0))
  const [only] = leaves
  if (leaves.length === 1 && only !== undefined) return leafHash(only)
  const split = 2 ** (Math.ceil(Math.log2(leaves.length)) - 1)
  return innerHash(merkleRoot(leaves.slice(0, split)), merkleRoot(leaves.slice(split)))
}

/** Returns the root that a leaf and its aunts lead to. */
export function provenRoot({ total, index, leaf_hash: leaf, aunts }: WireProof): Uint8Array {
  const climb = (count: number, at: number, rest: string[]): Uint8Array => {
    if (count === 1) return base64(leaf)
    const split = 2 ** (Math.ceil(Math.log2(count)) - 1)
    const aunt = base64(rest.at(-1) ?? '')
    return at < split
      ? innerHash(climb(split, at, rest.slice(0, -1)), aunt)
      : innerHash(aunt, climb(count - split, at - split, rest.slice(0, -1)))
  }
  return climb(Number(total), Number(index), aunts)
}

/** A value alone in a message, as the leaves of a header are; a zero value is no bytes at all. */
function wrapped(write: (writer: BinaryWriter) => unknown, isZero: boolean): Uint8Array {
  const writer = new BinaryWriter()
  if (!isZero) write(writer)
  return writer.finish()
}
const wrappedText = (text: string) => wrapped((writer) => writer.uint32(10).string(text), text === '')
const wrappedBytes = (bytes: Uint8Array) => wrapped((writer) => writer.uint32(10).bytes(bytes), bytes.length === 0)
const wrappedInt = (value: bigint) => wrapped((writer) => writer.uint32(8).int64(value), value === 0n)

function timestamp(text: string): Timestamp {
  const [whole = '', fraction = ''] = text.replace('Z', '').split('.')
  return Timestamp.fromPartial({
    seconds: BigInt(Math.floor(Date.parse(`${whole}Z`) / 1000)),
    nanos: Number(fraction.padEnd(9, '0')),
  })
}

function blockId({ hash, parts }: WireId): BlockID {
  return BlockID.fromPartial({ hash: hex(hash), partSetHeader: { total: parts.total, hash: hex(parts.hash) } })
}

/** Returns the hash of a header: the root over its fourteen fields. */
export function headerHash(header: WireHeader): string {
  const { block, app } = header.version
  return upper(
    merkleRoot([
      Consensus.encode(Consensus.fromPartial({ block: BigInt(block), app: BigInt(app ?? 0) })).finish(),
      wrappedText(header.chain_id),
      wrappedInt(BigInt(header.height)),
      Timestamp.encode(timestamp(header.time)).finish(),
      BlockID.encode(blockId(header.last_block_id)).finish(),
      ...(
        [
          'last_commit_hash',
          'data_hash',
          'validators_hash',
          'next_validators_hash',
          'consensus_hash',
          'app_hash',
          'last_results_hash',
          'evidence_hash',
          'proposer_address',
        ] as const
      ).map((name) => wrappedBytes(hex(header[name]))),
    ]),
  )
}

/** Returns the hash of a validator set. */
export function validatorsHash(validators: WireValidator[]): string {
  return upper(
    merkleRoot(
      validators.map(({ pub_key: key, voting_power: power }) =>
        SimpleValidator.encode(
          SimpleValidator.fromPartial({
            pubKey: PublicKey.fromPartial({ ed25519: base64(key.value) }),
            votingPower: BigInt(power),
          }),
        ).finish(),
      ),
    ),
  )
}

/** Returns the hash of a commit, as the header after it holds it. */
export function commitHash({ signatures }: WireCommit): string {
  return upper(
    merkleRoot(
      signatures.map((one) =>
        CommitSig.encode(
          CommitSig.fromPartial({
            blockIdFlag: one.block_id_flag,
            validatorAddress: hex(one.validator_address),
            timestamp: timestamp(one.timestamp),
            signature: base64(one.signature ?? ''),
          }),
        ).finish(),
      ),
    ),
  )
}

/** What a validator signs: a canonical vote with its length before it. */
function signBytes({ height, round, block_id: id }: WireCommit, time: string, chainId: string): Uint8Array {
  const canonicalId = new BinaryWriter()
    .uint32(10)
    .bytes(hex(id.hash))
    .uint32(18)
    .bytes(new BinaryWriter().uint32(8).uint32(id.parts.total).uint32(18).bytes(hex(id.parts.hash)).finish())
    .finish()
  const vote = new BinaryWriter().uint32(8).int32(2).uint32(17).sfixed64(BigInt(height))
  if (round !== 0) vote.uint32(25).sfixed64(BigInt(round))
  vote
    .uint32(34)
    .bytes(canonicalId)
    .uint32(42)
    .bytes(Timestamp.encode(timestamp(time)).finish())
    .uint32(50)
    .string(chainId)
  return new BinaryWriter().bytes(vote.finish()).finish()
}

/** Returns the power of those of a set whose signature under a commit is good. */
export function signedPower({ commit, header }: Signed, validators: WireValidator[]): bigint {
  return commit.signatures.reduce((power, one) => {
    const validator =
      one.block_id_flag === 2 ? validators.find(({ address }) => address === one.validator_address) : undefined
    if (validator === undefined || one.signature === null) return power
    const key = base64(validator.pub_key.value)
    const isOwn = upper(sha256(key).slice(0, 20)) === validator.address
    const isGood = ed25519.verify(base64(one.signature), signBytes(commit, one.timestamp, header.chain_id), key)
    return isOwn && isGood ? power + BigInt(validator.voting_power) : power
  }, 0n)
}

export const totalPower = (validators: WireValidator[]) =>
  validators.reduce((sum, one) => sum + BigInt(one.voting_power), 0n)

/**
 * Returns what is wrong with a header from the trusted one before it; nothing when it can be
 * trusted too.
 */
export function complaintsOf(block: Signed, before: Signed | undefined): string[] {
  const { header, commit, validators } = block
  const at = (text: string, holds: boolean) => (holds ? [] : [`${text} at ${header.height}`])
  return [
    ...at('header hash', headerHash(header) === commit.block_id.hash && header.height === commit.height),
    ...at('validators hash', validatorsHash(validators) === header.validators_hash),
    ...at('signatures', signedPower(block, validators) * 3n > totalPower(validators) * 2n),
    ...at('set size', commit.signatures.length === validators.length),
    ...(before === undefined
      ? []
      : [
          ...at('height', BigInt(header.height) === BigInt(before.header.height) + 1n),
          ...at('time', Date.parse(header.time) > Date.parse(before.header.time)),
          ...at('last block id', JSON.stringify(header.last_block_id) === JSON.stringify(before.commit.block_id)),
          ...at('next validators', header.validators_hash === before.header.next_validators_hash),
        ]),
  ]
}

/** Returns whether two proof ops lead from a key (and its value, or its absence) to an app hash. */
export function isProven(
  ops: WireOp[],
  store: string,
  { key, value }: { key: Uint8Array; value: Uint8Array | undefined },
  appHash: string,
): boolean {
  const [inner, outer] = ops.map(({ data }) => ics23.CommitmentProof.decode(base64(data)))
  const top = outer?.exist
  if (top == null || top.value == null || inner === undefined) return false
  try {
    verifyExistence(top, tendermintSpec, hex(appHash), new TextEncoder().encode(store), top.value)
    if (value === undefined) verifyNonExistence(inner.nonexist ?? {}, iavlSpec, top.value, key)
    else verifyExistence(inner.exist ?? {}, iavlSpec, top.value, key, value)
    return true
  } catch {
    return false
  }
}
