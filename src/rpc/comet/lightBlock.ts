/**
 * Reads the signed header and validators of a light block and makes the checks that need no chain.
 * Order and error texts are CometBFT's (`types/light.go`, `types/block.go`,
 * `types/validator_set.go`).
 */
import { eachHeaderHash } from '../../codec/headerHashes.ts'
import type { Commit, CommitSignature, Header, Validator, ValidatorSet } from '../../chain/block.ts'
import { headerHash, validatorsHash } from '../../chain/hashing.ts'
import { validatorAddress } from '../../chain/validators.ts'
import { GoPanic, upperHexOf } from '../../codec/comet.ts'
import type { Commit as WireCommit, CommitSig } from '../../codec/votes.ts'
import { equalBytes } from '../../data/bytes.ts'
import { compareTime, zeroTime } from '../../data/time.ts'
import { addressProblem, hashProblem, signatureProblem } from './basicChecks.ts'
import type { WireHeader, WireLightBlock, WireSet, WireValidator } from './lightBlockParam.ts'

export type LightBlock = {
  readonly header: Header
  readonly commit: Commit
  readonly validators: ValidatorSet
}

/** Returns the light block, or the error text if it is invalid on any chain. */
export function lightBlockOf({ signed_header: signed, validator_set: set }: WireLightBlock): LightBlock | string {
  if (signed === undefined) return 'missing signed header'
  if (set === undefined) return 'missing validator set'
  const { header: wireHeader, commit } = signed
  if (wireHeader === undefined) return 'invalid signed header: missing header'
  if (commit === undefined) return 'invalid signed header: missing commit'
  const header = headerOf(wireHeader)
  const signedProblem = headerProblem(header) ?? commitProblem(commit) ?? mismatch(header, commit)
  if (signedProblem !== undefined) return `invalid signed header: ${signedProblem}`
  const setProblem = setProblemOf(set)
  if (setProblem !== undefined) return `invalid validator set: ${setProblem}`
  const validators = setOf(set)
  const setHash = validatorsHash(validators)
  if (!equalBytes(header.validatorsHash, setHash)) {
    return (
      'expected validator hash of header to match validator set hash ' +
      `(${upperHexOf(header.validatorsHash)} != ${upperHexOf(setHash)})`
    )
  }
  return { header, commit: commitOf(commit), validators }
}

/** Returns the hash of a header, which is empty if the header has no validators hash. */
export function headerHashOf(header: Header): Uint8Array {
  return header.validatorsHash.length === 0 ? new Uint8Array(0) : headerHash(header)
}

function headerProblem(header: Header): string | undefined {
  const { version, chainId, height, lastBlockId, proposerAddress } = header
  const partsProblem = hashProblem(lastBlockId.parts.hash)
  const problem =
    version.block !== 11n
      ? `block protocol is incorrect: got: ${version.block}, want: 11 `
      : lengthOf(chainId) > 50
        ? `chainID is too long; got: ${lengthOf(chainId)}, max: 50`
        : height < 0n
          ? 'negative Height'
          : height === 0n
            ? 'zero Height'
            : hashProblem(lastBlockId.hash) !== undefined
              ? 'wrong LastBlockID: wrong Hash'
              : partsProblem !== undefined
                ? `wrong LastBlockID: wrong PartSetHeader: wrong Hash: ${partsProblem}`
                : (wrongHash(header, ['lastCommitHash', 'dataHash', 'evidenceHash']) ??
                  (proposerAddress.length === 20
                    ? undefined
                    : `invalid ProposerAddress length; got: ${proposerAddress.length}, expected: 20`) ??
                  wrongHash(header, ['validatorsHash', 'nextValidatorsHash', 'consensusHash', 'lastResultsHash']))
  return problem === undefined ? undefined : `invalid header: ${problem}`
}

type HashName =
  | 'lastCommitHash'
  | 'dataHash'
  | 'evidenceHash'
  | 'validatorsHash'
  | 'nextValidatorsHash'
  | 'consensusHash'
  | 'lastResultsHash'

function wrongHash(header: Header, names: readonly HashName[]): string | undefined {
  return names.flatMap((name) => {
    const problem = hashProblem(header[name])
    return problem === undefined ? [] : [`wrong ${name[0]?.toUpperCase()}${name.slice(1)}: ${problem}`]
  })[0]
}

function lengthOf(text: string): number {
  return new TextEncoder().encode(text).length
}

function commitProblem({ height, round, blockId: { hash, parts }, signatures }: WireCommit): string | undefined {
  const problem =
    height < 0n
      ? 'negative Height'
      : round < 0
        ? 'negative Round'
        : height === 0n
          ? undefined
          : hash.length === 0 && parts.total === 0 && parts.hash.length === 0
            ? 'commit cannot be for nil block'
            : signatures.length === 0
              ? 'no signatures in commit'
              : signatures.flatMap((one, index) => {
                  const wrong = flagProblem(one)
                  return wrong === undefined ? [] : [`wrong CommitSig #${index}: ${wrong}`]
                })[0]
  return problem === undefined ? undefined : `invalid commit: ${problem}`
}

function flagProblem({ flag, address, time, signature }: CommitSig): string | undefined {
  if (flag < 1 || flag > 3) return `unknown BlockIDFlag: ${flag}`
  if (flag !== 1) return addressProblem(address) ?? signatureProblem(signature)
  if (address.length > 0) return 'validator address is present'
  if (compareTime(time, zeroTime) !== 0) return 'time is present'
  return signature.length > 0 ? 'signature is present' : undefined
}

function mismatch(header: Header, { height, blockId: { hash } }: WireCommit): string | undefined {
  if (height !== header.height) {
    return `header and commit height mismatch: ${header.height} vs ${height}`
  }
  const own = headerHashOf(header)
  return equalBytes(own, hash)
    ? undefined
    : `commit signs block ${upperHexOf(hash)}, header is block ${upperHexOf(own)}`
}

function setProblemOf({ validators, proposer }: WireSet): string | undefined {
  if (validators.length === 0) return 'validator set is nil or empty'
  for (const [index, one] of validators.entries()) {
    const problem = validatorProblem(one)
    if (problem !== undefined) return `invalid validator #${index}: ${problem}`
  }
  const problem = validatorProblem(proposer)
  if (problem !== undefined) return `proposer failed validate basic, error: ${problem}`
  const isMember =
    proposer !== undefined && validators.some((one) => one !== undefined && equalBytes(one.address, proposer.address))
  return isMember ? undefined : 'proposer not in validator set'
}

function validatorProblem(wire: WireValidator | undefined): string | undefined {
  if (wire === undefined) return 'nil validator'
  if (wire.pub_key === undefined) return 'validator does not have a public key'
  if (wire.voting_power < 0n) return 'validator has negative voting power'
  const { publicKey, address } = receivedValidator(wire)
  const isEd25519 = publicKey.type === 'ed25519'
  if (publicKey.bytes.length !== (isEd25519 ? 32 : 33)) {
    throw new GoPanic(isEd25519 ? 'pubkey is incorrect size' : 'length of pubkey is incorrect')
  }
  const derived = validatorAddress(publicKey)
  return equalBytes(derived, address)
    ? undefined
    : `validator address is incorrectly derived from pubkey. Exp: ${upperHexOf(derived)}, got ${upperHexOf(address)}`
}

function headerOf(wire: WireHeader): Header {
  return {
    version: wire.version,
    chainId: wire.chain_id,
    height: wire.height,
    time: wire.time,
    lastBlockId: wire.last_block_id,
    ...eachHeaderHash((json) => wire[json]),
  }
}

function commitOf(commit: WireCommit): Commit {
  return { ...commit, signatures: commit.signatures.map(signatureOf) }
}

function signatureOf(one: CommitSig): CommitSignature {
  return { ...one, flag: one.flag === 2 || one.flag === 3 ? one.flag : 1 }
}

function setOf({ validators, proposer }: WireSet): ValidatorSet {
  const all = validators.flatMap((one) => (one === undefined ? [] : [receivedValidator(one)]))
  return {
    validators: all,
    proposer: all.findIndex(({ address }) => proposer !== undefined && equalBytes(address, proposer.address)),
  }
}

/** Returns a validator as received; a missing key is empty. */
export function receivedValidator({
  address,
  pub_key: key,
  voting_power: power,
  proposer_priority: priority,
}: WireValidator): Validator {
  const bytes = key?.value instanceof Uint8Array ? key.value : new Uint8Array(0)
  const type = key?.type === 'tendermint/PubKeySecp256k1' ? 'secp256k1' : 'ed25519'
  return { address, publicKey: { type, bytes }, power, priority }
}
