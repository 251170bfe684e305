/**
 * Reads evidence of an attack on light clients and checks what needs no chain (CometBFT
 * `types/evidence.go`, `types/light.go`).
 */
import type { Commit, CommitSignature, Header, LightClientAttackEvidence, Validator, ValidatorSet } from '../../chain/block.ts'
import { headerHash, validatorsHash } from '../../chain/hashing.ts'
import {
  base64, base64OrNil, int32, int64, list, pointer, string, time, uint64, upperHex, upperHexOf, type CometCodec,
} from '../../codec/comet.ts'
import { struct, variant } from '../../codec/cometParams.ts'
import { goQuote } from '../../codec/goText.ts'
import { equalBytes } from '../../data/bytes.ts'
import type { Time } from '../../data/time.ts'

const blockIdCodec = struct({ hash: upperHex, parts: struct({ total: int32, hash: upperHex }) })

const headerCodec = struct({
  version: struct({ block: uint64, app: uint64 }), chain_id: string, height: int64, time, last_block_id: blockIdCodec,
  last_commit_hash: upperHex, data_hash: upperHex, validators_hash: upperHex, next_validators_hash: upperHex,
  consensus_hash: upperHex, app_hash: upperHex, last_results_hash: upperHex, evidence_hash: upperHex,
  proposer_address: upperHex,
})

const signatureCodec = struct({
  block_id_flag: int32, validator_address: upperHex, timestamp: time, signature: base64OrNil,
})

const commitCodec = struct({ height: int64, round: int32, block_id: blockIdCodec, signatures: list(signatureCodec) })

const keyCodec = variant({
  'tendermint/PubKeyEd25519': base64() as CometCodec<unknown>, 'tendermint/PubKeySecp256k1': base64() as CometCodec<unknown>,
}, [])

const validatorCodec = struct({ address: upperHex, pub_key: keyCodec, voting_power: int64, proposer_priority: int64 })

const setCodec = struct({ validators: list(validatorCodec), proposer: pointer(validatorCodec) })

export const attackCodec = struct({
  ConflictingBlock: pointer(struct({
    signed_header: pointer(struct({ header: pointer(headerCodec), commit: pointer(commitCodec) })),
    validator_set: pointer(setCodec),
  })),
  CommonHeight: int64,
  ByzantineValidators: list(validatorCodec),
  TotalVotingPower: int64,
  Timestamp: time,
})

export type WireAttack = ReturnType<typeof attackCodec.absent>

type WireHeader = ReturnType<typeof headerCodec.absent>
type WireValidator = ReturnType<typeof validatorCodec.absent>

/** Returns the evidence, or the text of what makes it none whatever the chain. */
export function attackOf(given: WireAttack): LightClientAttackEvidence | string {
  const { ConflictingBlock: block, CommonHeight: commonHeight, TotalVotingPower: totalPower } = given
  if (block === undefined) return 'conflicting block is nil'
  const { header: wireHeader, commit: wireCommit } = block.signed_header ?? {}
  if (wireHeader === undefined) return 'conflicting block missing header'
  if (totalPower <= 0n) return 'negative or zero total voting power'
  if (commonHeight <= 0n) return 'negative or zero common height'
  if (commonHeight > wireHeader.height) {
    return `common height is ahead of the conflicting block height (${commonHeight} > ${wireHeader.height})`
  }
  if (wireCommit === undefined) return badBlock('invalid signed header: missing commit')
  if (block.validator_set === undefined) return badBlock('missing validator set')
  const header = headerOf(wireHeader)
  const commit: Commit = {
    height: wireCommit.height, round: wireCommit.round, blockId: wireCommit.block_id,
    signatures: wireCommit.signatures.map(signatureOf),
  }
  const conflicting = { header, commit, validators: setOf(block.validator_set) }
  const problem = blockProblem(conflicting)
  if (problem !== undefined) return badBlock(problem)
  return {
    type: 'lightClientAttack', conflicting, commonHeight, totalPower, time: given.Timestamp,
    byzantine: given.ByzantineValidators.map(validatorOf),
  }
}

function badBlock(text: string): string {
  return `invalid conflicting light block: ${text}`
}

function blockProblem({ header, commit, validators }: LightClientAttackEvidence['conflicting']): string | undefined {
  const hash = headerHash(header)
  if (header.height !== commit.height) {
    return `invalid signed header: header and commit height mismatch: ${header.height} vs ${commit.height}`
  }
  if (!equalBytes(hash, commit.blockId.hash)) {
    return `invalid signed header: commit signs block ${upperHexOf(commit.blockId.hash)}, header is block ${upperHexOf(hash)}`
  }
  if (validators.validators.length === 0) return 'invalid validator set: validator set is nil or empty'
  const setHash = validatorsHash(validators)
  return equalBytes(header.validatorsHash, setHash) ? undefined
    : `expected validator hash of header to match validator set hash (${upperHexOf(header.validatorsHash)} != ${upperHexOf(setHash)})`
}

function headerOf(wire: WireHeader): Header {
  return {
    version: wire.version, chainId: wire.chain_id, height: wire.height, time: wire.time, lastBlockId: wire.last_block_id,
    lastCommitHash: wire.last_commit_hash, dataHash: wire.data_hash, validatorsHash: wire.validators_hash,
    nextValidatorsHash: wire.next_validators_hash, consensusHash: wire.consensus_hash, appHash: wire.app_hash,
    lastResultsHash: wire.last_results_hash, evidenceHash: wire.evidence_hash, proposerAddress: wire.proposer_address,
  }
}

function signatureOf(wire: {
  block_id_flag: number; validator_address: Uint8Array; timestamp: Time; signature: Uint8Array | undefined
}): CommitSignature {
  const flag = wire.block_id_flag === 2 ? 2 : wire.block_id_flag === 3 ? 3 : 1
  return { flag, address: wire.validator_address, time: wire.timestamp, signature: wire.signature ?? new Uint8Array(0) }
}

function setOf({ validators, proposer }: ReturnType<typeof setCodec.absent>): ValidatorSet {
  const chosen = validators.findIndex(({ address }) => proposer !== undefined && equalBytes(address, proposer.address))
  return { validators: validators.map(validatorOf), proposer: chosen }
}

function validatorOf({ address, pub_key: key, voting_power: power, proposer_priority: priority }: WireValidator): Validator {
  const bytes = key?.value instanceof Uint8Array ? key.value : new Uint8Array(0)
  const type = key?.type === 'tendermint/PubKeySecp256k1' ? 'secp256k1' : 'ed25519'
  return { address, publicKey: { type, bytes }, power, priority }
}

/** Returns how an attack is shortened where Go would print all of it. */
export function attackText({ commonHeight, totalPower, conflicting: { header } }: LightClientAttackEvidence): string {
  return `LightClientAttackEvidence{ConflictingBlock: LightBlock{Header#${header.height} of ${goQuote(header.chainId)}}, `
    + `CommonHeight: ${commonHeight}, TotalVotingPower: ${totalPower}}`
}
