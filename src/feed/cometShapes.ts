/**
 * JSON of blocks, results and validators in CometBFT RPC, for methods and events (`comet-rpc.md`
 * §1.3, §0.3). Members are in the node's order.
 */
import { headerHashesJson } from '../codec/headerHashes.ts'
import type { AbciEvent, ConsensusParams, PublicKey, TxResult, ValidatorUpdate } from '../app/abci.ts'
import type { Block, BlockId, Commit, Evidence, Header, Validator, ValidatorSet, Vote } from '../chain/block.ts'
import { base64Of } from '../codec/base64.ts'
import { upperHexOf } from '../codec/comet.ts'
import type { Plain, PlainObject } from '../codec/goJsonWrite.ts'
import { formatTime } from '../codec/time.ts'
import * as votes from '../codec/votes.ts'
import { unreachable } from '../errors.ts'
import { nonEmpty } from '../codec/aminoJson.ts'

/** The JSON of a block id; a zero block id is shown as empty. */
export const blockIdJson: (id: BlockId) => PlainObject = votes.blockId.toJson

/** The JSON of a commit, with every validator's signature or absence. */
export const commitJson: (commit: Commit) => PlainObject = votes.commit.toJson

/** The JSON of a vote, without vote extensions. */
export const voteJson: (vote: Vote) => PlainObject = votes.vote.toJson

/** Returns the JSON of a header; versions that are 0 are left out. */
export function headerJson(header: Header): PlainObject {
  const { block, app } = header.version
  return {
    version: {
      ...(block === 0n ? {} : { block: block.toString() }),
      ...(app === 0n ? {} : { app: app.toString() }),
    },
    chain_id: header.chainId,
    height: header.height.toString(),
    time: formatTime(header.time),
    last_block_id: blockIdJson(header.lastBlockId),
    ...headerHashesJson((name) => upperHexOf(header[name])),
  }
}

/** Returns the JSON of a block. */
export function blockJson({ header, txs, evidence, lastCommit }: Block): PlainObject {
  return {
    header: headerJson(header),
    data: { txs: txs.map(base64Of) },
    evidence: { evidence: evidence.map(evidenceJson) },
    last_commit: commitJson(lastCommit),
  }
}

/** Returns the JSON of a validator. */
export function validatorJson({ address, publicKey, power, priority }: Validator): PlainObject {
  return {
    address: upperHexOf(address),
    pub_key: publicKeyJson(publicKey),
    voting_power: power.toString(),
    proposer_priority: priority.toString(),
  }
}

/** Returns the JSON of a validator set with its proposer. */
export function validatorSetJson({ validators, proposer }: ValidatorSet): PlainObject {
  const chosen = validators[proposer]
  return {
    validators: validators.map(validatorJson),
    proposer: chosen === undefined ? null : validatorJson(chosen),
  }
}

/** Returns a public key in CometBFT's JSON. */
export function publicKeyJson({ type, bytes }: PublicKey): PlainObject {
  const name = type === 'ed25519' ? 'tendermint/PubKeyEd25519' : 'tendermint/PubKeySecp256k1'
  return { type: name, value: base64Of(bytes) }
}

/** Returns the JSON of consensus parameters, with all fields. */
export function consensusParamsJson(params: ConsensusParams): PlainObject {
  const { block, evidence, validator, version, abci } = params
  return {
    block: { max_bytes: block.maxBytes.toString(), max_gas: block.maxGas.toString() },
    evidence: {
      max_age_num_blocks: evidence.maxAgeBlocks.toString(),
      max_age_duration: evidence.maxAgeNanos.toString(),
      max_bytes: evidence.maxBytes.toString(),
    },
    validator: { pub_key_types: validator.publicKeyTypes },
    version: { app: version.app.toString() },
    abci: { vote_extensions_enable_height: abci.voteExtensionsEnableHeight.toString() },
  }
}

/**
 * Returns the JSON of changed consensus parameters in protobuf form: zeros and absent sections are
 * left out.
 */
export function paramUpdatesJson(updates: Partial<ConsensusParams>): PlainObject {
  const { block, evidence, validator, version, abci } = updates
  return {
    block: block && { max_bytes: nonZero(block.maxBytes), max_gas: nonZero(block.maxGas) },
    evidence: evidence && {
      max_age_num_blocks: nonZero(evidence.maxAgeBlocks),
      max_age_duration: evidence.maxAgeNanos.toString(),
      max_bytes: nonZero(evidence.maxBytes),
    },
    validator: validator && {
      pub_key_types: validator.publicKeyTypes.length === 0 ? undefined : validator.publicKeyTypes,
    },
    version: version && { app: nonZero(version.app) },
    abci: abci && { vote_extensions_enable_height: nonZero(abci.voteExtensionsEnableHeight) },
  }
}

/** Returns the JSON of an ABCI validator update; a removal has no `power`. */
export function validatorUpdateJson({ publicKey, power }: ValidatorUpdate): PlainObject {
  const isEd25519 = publicKey.type === 'ed25519'
  const type = `tendermint.crypto.PublicKey_${isEd25519 ? 'Ed25519' : 'Secp256K1'}`
  return {
    pub_key: { Sum: { type, value: { [publicKey.type]: base64Of(publicKey.bytes) } } },
    power: nonZero(power),
  }
}

/**
 * Returns a transaction result with every field, as the node writes results it holds by pointer
 * (§0.3).
 */
export function txResultJson(result: TxResult): PlainObject {
  return {
    code: result.code,
    data: result.data === undefined ? null : base64Of(result.data),
    log: result.log,
    info: result.info,
    gas_wanted: result.gasWanted.toString(),
    gas_used: result.gasUsed.toString(),
    events: result.events.map(fullEventJson),
    codespace: result.codespace,
  }
}

/** Returns the JSON of a result that the node had stored as protobuf: empty data becomes null. */
export function storedTxResultJson(result: TxResult): PlainObject {
  return txResultJson(result.data?.length === 0 ? { ...result, data: undefined } : result)
}

/** Returns a transaction result without its zero fields, except `events`, as in the event `Tx`. */
export function sparseTxResultJson(result: TxResult): PlainObject {
  const { code, data, log, info, codespace } = result
  return {
    code: code === 0 ? undefined : code,
    data: data === undefined || data.length === 0 ? undefined : base64Of(data),
    log: nonEmpty(log),
    info: nonEmpty(info),
    gas_wanted: nonZero(result.gasWanted),
    gas_used: nonZero(result.gasUsed),
    events: result.events.map(eventJson),
    codespace: nonEmpty(codespace),
  }
}

/** Returns the JSON of a block event; an empty type or attribute list is left out. */
export function eventJson({ type, attributes }: AbciEvent): PlainObject {
  return {
    type: nonEmpty(type),
    attributes: attributes.length === 0 ? undefined : attributesJson(attributes),
  }
}

function fullEventJson({ type, attributes }: AbciEvent): PlainObject {
  return { type, attributes: attributesJson(attributes) }
}

function attributesJson(attributes: AbciEvent['attributes']): Plain {
  return attributes.map(({ key, value, index }) => ({ key, value, index }))
}

/** Returns the JSON of evidence with its registered type name (`comet-rpc.md` §1.28). */
export function evidenceJson(evidence: Evidence): PlainObject {
  switch (evidence.type) {
    case 'duplicateVote':
      return {
        type: 'tendermint/DuplicateVoteEvidence',
        value: {
          vote_a: voteJson(evidence.voteA),
          vote_b: voteJson(evidence.voteB),
          TotalVotingPower: evidence.totalPower.toString(),
          ValidatorPower: evidence.validatorPower.toString(),
          Timestamp: formatTime(evidence.time),
        },
      }
    case 'lightClientAttack':
      return {
        type: 'tendermint/LightClientAttackEvidence',
        value: {
          ConflictingBlock: {
            signed_header: {
              header: headerJson(evidence.conflicting.header),
              commit: commitJson(evidence.conflicting.commit),
            },
            validator_set: validatorSetJson(evidence.conflicting.validators),
          },
          CommonHeight: evidence.commonHeight.toString(),
          ByzantineValidators: evidence.byzantine.map(validatorJson),
          TotalVotingPower: evidence.totalPower.toString(),
          Timestamp: formatTime(evidence.time),
        },
      }
    default:
      return unreachable(evidence)
  }
}

function nonZero(value: bigint): string | undefined {
  return value === 0n ? undefined : value.toString()
}
