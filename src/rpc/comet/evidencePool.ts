/**
 * Checks evidence against the chain, in the order and with the error texts of CometBFT's evidence
 * pool.
 */
import type { BlockRecord, DuplicateVoteEvidence, Evidence, Validator, Vote } from '../../chain/block.ts'
import type { Chain } from '../../chain/chain.ts'
import { evidenceHash, voteSignBytes } from '../../chain/hashing.ts'
import { blockAt } from '../../chain/view.ts'
import { upperHexOf } from '../../codec/comet.ts'
import { plainHexOf } from '../../codec/hex.ts'
import { ed25519Verify } from '../../crypto/ed25519.ts'
import { equalBytes } from '../../data/bytes.ts'
import { mapHas } from '../../data/persistentMap.ts'
import { addNanos, compareTime } from '../../data/time.ts'
import { attackText } from './attackText.ts'
import { attackReason, totalPowerReason } from './attackPool.ts'
import { failed } from './errors.ts'
import { goTime } from '../../codec/time.ts'
import { blockIdText, voteText } from './voteText.ts'

/** Returns whether the evidence is pending or in a block; submitting it again is no error. */
export function isKnown(chain: Chain, evidence: Evidence): boolean {
  const hash = evidenceHash(evidence)
  return (
    mapHas(chain.committedEvidence, plainHexOf(hash)) ||
    chain.evidence.some((one) => equalBytes(evidenceHash(one), hash))
  )
}

/** Throws the pool's error if it refuses the evidence. */
export function checkEvidence(chain: Chain, evidence: Evidence): void {
  const reason = reasonAgainst(chain, evidence)
  if (reason === undefined) return
  throw failed(`failed to add evidence: Invalid evidence: ${reason}. Evidence: ${evidenceText(evidence)}`)
}

/** Returns the height that the age of the evidence is counted from. */
function heightOf(evidence: Evidence): bigint {
  return evidence.type === 'duplicateVote' ? evidence.voteA.height : evidence.commonHeight
}

function evidenceText(evidence: Evidence): string {
  if (evidence.type === 'lightClientAttack') return attackText(evidence)
  return `DuplicateVoteEvidence{VoteA: ${printed(evidence.voteA)}, VoteB: ${printed(evidence.voteB)}}`
}

function reasonAgainst(chain: Chain, evidence: Evidence): string | undefined {
  const { time } = evidence
  const height = heightOf(evidence)
  const record = blockAt(chain, height)
  if (record === undefined) return `don't have header #${height}`
  const blockTime = record.block.header.time
  if (compareTime(time, blockTime) !== 0) {
    return `evidence has a different time to the block it is associated with (${goTime(time)} != ${goTime(blockTime)})`
  }
  const { maxAgeBlocks, maxAgeNanos } = chain.consensusParams.evidence
  const isOld =
    chain.height - height > maxAgeBlocks && compareTime(chain.lastBlockTime, addNanos(blockTime, maxAgeNanos)) > 0
  if (isOld) {
    const limit = goTime(addNanos(chain.lastBlockTime, maxAgeNanos))
    return (
      `evidence from height ${height} (created at: ${goTime(blockTime)}) is too old; ` +
      `min height is ${chain.height - maxAgeBlocks} and evidence can not be older than ${limit}`
    )
  }
  return evidence.type === 'duplicateVote' ? voteReason(chain, evidence, record) : attackReason(chain, evidence, record)
}

function voteReason(
  { genesis }: Chain,
  evidence: DuplicateVoteEvidence,
  { validators: set }: BlockRecord,
): string | undefined {
  const { voteA, voteB, validatorPower } = evidence
  const validator = set.validators.find(({ address }) => equalBytes(address, voteA.validatorAddress))
  if (validator === undefined) {
    const address = upperHexOf(voteA.validatorAddress)
    return `address ${address} was not a validator at height ${voteA.height}`
  }
  const [stepA, stepB] = [stepText(voteA), stepText(voteB)]
  if (stepA !== stepB) return `h/r/s does not match: ${stepA} vs ${stepB}`
  if (!equalBytes(voteA.validatorAddress, voteB.validatorAddress)) {
    return (
      'validator addresses do not match: ' +
      `${upperHexOf(voteA.validatorAddress)} vs ${upperHexOf(voteB.validatorAddress)}`
    )
  }
  if (blockIdText(voteA.blockId) === blockIdText(voteB.blockId)) {
    return `block IDs are the same (${blockIdText(voteA.blockId)}) - not a real duplicate vote`
  }
  if (validator.power !== validatorPower) {
    return (
      'validator power from evidence and our validator set does not match ' +
      `(${validatorPower} != ${validator.power})`
    )
  }
  const reason = totalPowerReason(evidence, set)
  if (reason !== undefined) return reason
  if (!isSigned(voteA, validator, genesis.chainId)) return 'verifying VoteA: invalid signature'
  return isSigned(voteB, validator, genesis.chainId) ? undefined : 'verifying VoteB: invalid signature'
}

function isSigned(vote: Vote, { publicKey }: Validator, chainId: string): boolean {
  const blockId = vote.blockId.hash.length === 0 ? undefined : vote.blockId
  const message = voteSignBytes({ ...vote, blockId }, chainId)
  return publicKey.type === 'ed25519' && ed25519Verify(message, vote.signature, publicKey.bytes)
}

function stepText({ height, round, type }: Vote): string {
  return `${height}/${round}/SIGNED_MSG_TYPE_${type === 1 ? 'PREVOTE' : 'PRECOMMIT'}`
}

function printed(vote: Vote): string {
  return voteText({ ...vote, hash: vote.blockId.hash })
}
