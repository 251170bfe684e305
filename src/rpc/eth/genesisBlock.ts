/** The block that clients see before the first: they cannot work without a newest one. */
import type { BlockRecord, Commit } from '../../chain/block.ts'
import type { Chain } from '../../chain/chain.ts'
import { bytesOfHex } from '../../codec/hex.ts'
import { sha256 } from '../../crypto/hash.ts'

const none = new Uint8Array(0)
const emptyRoot = bytesOfHex('0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421')

// The RLP of an Ethereum block without anything in it.
const emptySize = 0x26a

/**
 * Returns a stand-in for block 0 of a chain that has made no block yet: the state after genesis,
 * with the hash of the genesis document as its own. No real node can be asked at that moment.
 */
export function genesisBlock(
  { genesis, app, consensusParams, lastBlockId, validators }: Chain
): BlockRecord {
  const hash = sha256(new TextEncoder().encode(genesis.document))
  const commit: Commit = { height: 0n, round: 0, blockId: lastBlockId, signatures: [] }
  const header = {
    version: { block: 11n, app: consensusParams.version.app }, chainId: genesis.chainId, height: 0n,
    time: genesis.time, lastBlockId, lastCommitHash: none, dataHash: none, validatorsHash: none,
    nextValidatorsHash: none, consensusHash: none, appHash: app.appHash, lastResultsHash: none,
    evidenceHash: none, proposerAddress: new Uint8Array(20),
  }
  return {
    id: { hash, parts: { total: 1, hash } },
    block: { header, txs: [], evidence: [], lastCommit: commit },
    sizeBytes: 0,
    seenCommit: commit,
    results: {
      txResults: [], events: [], validatorUpdates: [], consensusParamUpdates: undefined,
      appHash: app.appHash,
    },
    validators,
    consensusParams,
    txs: [],
    ethereum: {
      baseFee: app.transient.baseFee,
      gasLimit: consensusParams.block.maxGas < 0n ? 0xffffffffn : consensusParams.block.maxGas,
      gasUsed: 0n, bloom: new Uint8Array(256), miner: new Uint8Array(20),
      transactionsRoot: emptyRoot, receiptsRoot: emptyRoot, sizeBytes: emptySize, transactions: [],
    },
  }
}
