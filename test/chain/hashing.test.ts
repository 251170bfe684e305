import test from 'ava'
import { sha256 } from '../../src/crypto/hash.ts'
import {
  blockParts,
  commitHash,
  consensusHash,
  dataHash,
  evidenceHash,
  evidenceListHash,
  headerHash,
  resultsHash,
  validatorsHash,
  voteSignBytes,
} from '../../src/chain/hashing.ts'
import { golden } from '../golden.ts'
import {
  blockOf,
  commitOf,
  evidenceOf,
  fromBase64,
  headerOf,
  resultOf,
  toHex,
  voteOf,
  type WireBlock,
  type WireBlockId,
  type WireCommit,
  type WireEvidence,
  type WireHeader,
  type WireResult,
  type WireVote,
} from '../helpers/cometJson.ts'

type Vectors = {
  validators: Record<string, { validators: { pub_key: { value: string }; voting_power: string }[] }>
  consensusParams: Record<
    string,
    {
      consensus_params: { block: { max_bytes: string; max_gas: string } }
    }
  >
  blocks: {
    height: string
    block_id: WireBlockId
    block_size: string
    block: WireBlock
    commit: WireCommit
    sign_bytes: string[]
    results: WireResult[]
    results_hash: string
  }[]
  votes: { vote: WireVote; sign_bytes: string }[]
  evidence: { sent: WireEvidence; hash: string; block_id: WireBlockId; block: WireBlock }
  two: {
    blocks: {
      header: WireHeader
      block_id: WireBlockId
      commit: WireCommit
      sign_bytes: (string | null)[]
    }[]
  }
}

const vectors = golden<Vectors>('vectors-a.json')

test('every recorded block has its hash, its size and its part set', (t) => {
  for (const { block: wire, block_id, block_size } of [
    ...vectors.blocks,
    { ...vectors.evidence, block_size: undefined },
  ]) {
    const block = blockOf(wire)
    t.is(toHex(headerHash(block.header)), block_id.hash)
    const { sizeBytes, parts } = blockParts(block)
    if (block_size !== undefined) t.is(sizeBytes, Number(block_size))
    t.deepEqual({ total: parts.total, hash: toHex(parts.hash) }, block_id.parts)
  }
})

test('every recorded header holds the hashes of its transactions, commit and evidence', (t) => {
  for (const { block: wire } of [...vectors.blocks, vectors.evidence]) {
    const { header, txs, lastCommit, evidence } = blockOf(wire)
    t.is(toHex(dataHash(txs.map(sha256))), toHex(header.dataHash))
    t.is(toHex(commitHash(lastCommit)), toHex(header.lastCommitHash))
    t.is(toHex(evidenceListHash(evidence)), toHex(header.evidenceHash))
  }
})

test('the results of a block have the hash that the header after it holds', (t) => {
  for (const { results, results_hash } of vectors.blocks) {
    t.is(toHex(resultsHash(results.map(resultOf))), results_hash)
  }
})

test('validator sets and consensus parameters have their hashes', (t) => {
  for (const [hash, { validators }] of Object.entries(vectors.validators)) {
    const set = validators.map(({ pub_key, voting_power }) => ({
      address: new Uint8Array(20),
      priority: 0n,
      power: BigInt(voting_power),
      publicKey: { type: 'ed25519' as const, bytes: fromBase64(pub_key.value) },
    }))
    t.is(toHex(validatorsHash({ validators: set, proposer: 0 })), hash)
  }
  for (const [
    hash,
    {
      consensus_params: { block },
    },
  ] of Object.entries(vectors.consensusParams)) {
    t.is(
      toHex(
        consensusHash({
          block: { maxBytes: BigInt(block.max_bytes), maxGas: BigInt(block.max_gas) },
          evidence: { maxAgeBlocks: 0n, maxAgeNanos: 0n, maxBytes: 0n },
          validator: { publicKeyTypes: [] },
          version: { app: 0n },
          abci: { voteExtensionsEnableHeight: 0n },
        }),
      ),
      hash,
    )
  }
})

test('validators sign the recorded bytes, with their own time and for nil without a block', (t) => {
  for (const { commit: wire, sign_bytes } of vectors.blocks) {
    const { height, round, blockId, signatures } = commitOf(wire)
    for (const [index, { time }] of signatures.entries()) {
      t.is(
        toHex(voteSignBytes({ type: 2, height, round, blockId, time }, '9001')).toLowerCase(),
        sign_bytes[index] ?? '',
      )
    }
  }
  for (const { vote: wire, sign_bytes } of vectors.votes) {
    const vote = voteOf(wire)
    const blockId = vote.blockId.hash.length === 0 ? undefined : vote.blockId
    t.is(toHex(voteSignBytes({ ...vote, blockId }, '9001')).toLowerCase(), sign_bytes)
  }
})

test('headers with an absent signature before them have their hash', (t) => {
  for (const { header, block_id } of vectors.two.blocks) {
    t.is(toHex(headerHash(headerOf(header))), block_id.hash)
  }
})

test('evidence has the id that broadcasting it answers', (t) => {
  t.is(Buffer.from(evidenceHash(evidenceOf(vectors.evidence.sent))).toString('base64'), vectors.evidence.hash)
})
