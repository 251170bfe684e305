/**
 * Reads blocks in the JSON of CometBFT RPC as the chain's own records, to check against a real node.
 */
import { Buffer } from 'node:buffer'
import { emptyTxResult, type TxResult } from '../../src/app/abci.ts'
import type { Block, BlockId, Commit, DuplicateVoteEvidence, Header, Vote } from '../../src/chain/block.ts'
import type { Time } from '../../src/data/time.ts'

export type WireBlockId = { hash: string; parts: { total: number; hash: string } }
export type WireHeader = {
  version: { block?: string; app?: string }
  chain_id: string
  height: string
  time: string
  last_block_id: WireBlockId
  last_commit_hash: string
  data_hash: string
  validators_hash: string
  next_validators_hash: string
  consensus_hash: string
  app_hash: string
  last_results_hash: string
  evidence_hash: string
  proposer_address: string
}
export type WireCommit = {
  height: string
  round: number
  block_id: WireBlockId
  signatures: {
    block_id_flag: 1 | 2 | 3
    validator_address: string
    timestamp: string
    signature: string | null
  }[]
}
export type WireVote = {
  type: 1 | 2
  height: string
  round: number
  block_id: WireBlockId
  timestamp: string
  validator_address: string
  validator_index: number
  signature: string
}
export type WireEvidence = {
  value: {
    vote_a: WireVote
    vote_b: WireVote
    TotalVotingPower: string
    ValidatorPower: string
    Timestamp: string
  }
}
export type WireBlock = {
  header: WireHeader
  data: { txs: string[] }
  evidence: { evidence: WireEvidence[] }
  last_commit: WireCommit
}
export type WireResult = { code: number; data: string | null; gas_wanted: string; gas_used: string }

export const fromHex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))
export const fromBase64 = (text: string | null) => new Uint8Array(Buffer.from(text ?? '', 'base64'))
export const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex').toUpperCase()

export function timeOf(text: string): Time {
  const [whole = '', fraction = ''] = text.replace('Z', '').split('.')
  return {
    seconds: BigInt(Date.parse(`${whole}Z`)) / 1000n,
    nanos: Number(fraction.padEnd(9, '0')),
  }
}

export function blockIdOf({ hash, parts }: WireBlockId): BlockId {
  return { hash: fromHex(hash), parts: { total: parts.total, hash: fromHex(parts.hash) } }
}

export function headerOf(wire: WireHeader): Header {
  return {
    version: { block: BigInt(wire.version.block ?? 0), app: BigInt(wire.version.app ?? 0) },
    chainId: wire.chain_id,
    height: BigInt(wire.height),
    time: timeOf(wire.time),
    lastBlockId: blockIdOf(wire.last_block_id),
    lastCommitHash: fromHex(wire.last_commit_hash),
    dataHash: fromHex(wire.data_hash),
    validatorsHash: fromHex(wire.validators_hash),
    nextValidatorsHash: fromHex(wire.next_validators_hash),
    consensusHash: fromHex(wire.consensus_hash),
    appHash: fromHex(wire.app_hash),
    lastResultsHash: fromHex(wire.last_results_hash),
    evidenceHash: fromHex(wire.evidence_hash),
    proposerAddress: fromHex(wire.proposer_address),
  }
}

export function commitOf({ height, round, block_id, signatures }: WireCommit): Commit {
  return {
    height: BigInt(height),
    round,
    blockId: blockIdOf(block_id),
    signatures: signatures.map((one) => ({
      flag: one.block_id_flag,
      address: fromHex(one.validator_address),
      time: timeOf(one.timestamp),
      signature: fromBase64(one.signature),
    })),
  }
}

export function voteOf(wire: WireVote): Vote {
  return {
    type: wire.type,
    height: BigInt(wire.height),
    round: wire.round,
    blockId: blockIdOf(wire.block_id),
    time: timeOf(wire.timestamp),
    validatorAddress: fromHex(wire.validator_address),
    validatorIndex: wire.validator_index,
    signature: fromBase64(wire.signature),
  }
}

export function evidenceOf({ value }: WireEvidence): DuplicateVoteEvidence {
  return {
    type: 'duplicateVote',
    voteA: voteOf(value.vote_a),
    voteB: voteOf(value.vote_b),
    totalPower: BigInt(value.TotalVotingPower),
    validatorPower: BigInt(value.ValidatorPower),
    time: timeOf(value.Timestamp),
  }
}

export function blockOf(wire: WireBlock): Block {
  return {
    header: headerOf(wire.header),
    txs: wire.data.txs.map(fromBase64),
    evidence: wire.evidence.evidence.map(evidenceOf),
    lastCommit: commitOf(wire.last_commit),
  }
}

export function resultOf({ code, data, gas_wanted, gas_used }: WireResult): TxResult {
  return {
    ...emptyTxResult,
    code,
    data: data === null ? undefined : fromBase64(data),
    gasWanted: BigInt(gas_wanted),
    gasUsed: BigInt(gas_used),
  }
}
