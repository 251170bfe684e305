/**
 * The records of a chain: blocks, commits and results. Hashes are 32 bytes, addresses 20. Wire
 * names are in `codec/comet.ts`, hashing is in `chain/hashing.ts`, and a header's byte members are
 * listed in `codec/headerHashes.ts`.
 */
import type { HeaderHash } from '../codec/headerHashes.ts'
import type { BlockId, Commit as WireCommit, CommitSig, Vote as WireVote } from '../codec/votes.ts'
import type { ConsensusParams, AbciEvent, PublicKey, TxResult, ValidatorUpdate } from '../app/abci.ts'
import type { TxInfo } from '../app/application.ts'
import type { Time } from '../data/time.ts'

export type { BlockId }

export type Header = {
  readonly version: { readonly block: bigint; readonly app: bigint }
  readonly chainId: string
  readonly height: bigint
  readonly time: Time
  readonly lastBlockId: BlockId
} & Readonly<Record<HeaderHash, Uint8Array>>

/** `flag` 1: absent (other fields empty), 2: for the block, 3: for nil. */
export type CommitSignature = CommitSig & { readonly flag: 1 | 2 | 3 }

export type Commit = Omit<WireCommit, 'signatures'> & { readonly signatures: readonly CommitSignature[] }

export type Vote = WireVote & { readonly type: 1 | 2 }

export type DuplicateVoteEvidence = {
  readonly type: 'duplicateVote'
  readonly voteA: Vote
  readonly voteB: Vote
  readonly totalPower: bigint
  readonly validatorPower: bigint
  readonly time: Time
}

export type LightClientAttackEvidence = {
  readonly type: 'lightClientAttack'
  readonly conflicting: {
    readonly header: Header
    readonly commit: Commit
    readonly validators: ValidatorSet
  }
  readonly commonHeight: bigint
  readonly byzantine: readonly Validator[]
  readonly totalPower: bigint
  readonly time: Time
}

export type Evidence = DuplicateVoteEvidence | LightClientAttackEvidence

export type Block = {
  readonly header: Header
  readonly txs: readonly Uint8Array[]
  readonly evidence: readonly Evidence[]
  readonly lastCommit: Commit
}

/** `priority` is the proposer priority at the height of the set (`comet-rpc.md` §5.9). */
export type Validator = {
  readonly address: Uint8Array
  readonly publicKey: PublicKey
  readonly power: bigint
  readonly priority: bigint
}

/** Ordered by descending power, then by address. `proposer` is an index. */
export type ValidatorSet = { readonly validators: readonly Validator[]; readonly proposer: number }

/**
 * The FinalizeBlock results of a block, as `block_results` returns them; `appHash` is the one after
 * the block.
 */
export type BlockResults = {
  readonly txResults: readonly TxResult[]
  readonly events: readonly AbciEvent[]
  readonly validatorUpdates: readonly ValidatorUpdate[]
  readonly consensusParamUpdates: Partial<ConsensusParams> | undefined
  readonly appHash: Uint8Array
}

/**
 * The full record of one height. `seenCommit` is its commit before block H+1 carries it, perhaps
 * signed again for a later time.
 */
export type BlockRecord = {
  readonly id: BlockId
  readonly block: Block
  readonly sizeBytes: number
  readonly seenCommit: Commit
  readonly results: BlockResults
  readonly validators: ValidatorSet
  readonly consensusParams: ConsensusParams
  readonly txs: readonly TxRecord[]
  readonly ethereum: EthereumBlock
}

/** The parts of a mined or pending block that Ethereum JSON-RPC returns. */
export type ShownBlock = Pick<BlockRecord, 'block' | 'ethereum'> & {
  readonly id: Pick<BlockId, 'hash'>
}

/**
 * A transaction in its block. `hash` is the sha256 of its bytes; `info` is undefined for
 * undecodable bytes.
 */
export type TxRecord = {
  readonly hash: Uint8Array
  readonly index: number
  readonly info: TxInfo | undefined
}

/**
 * A block's data for Ethereum JSON-RPC (`cosmos-evm-rpc.md` §3), computed once, at commit. Values
 * derived from it, such as its roots, are computed on demand (`ethereumRoots.ts`).
 */
export type EthereumBlock = {
  readonly baseFee: bigint | undefined
  readonly gasLimit: bigint
  readonly gasUsed: bigint
  readonly miner: Uint8Array
  /**
   * The block's hash and parent hash on Ethereum JSON-RPC, if they differ from CometBFT's
   * (`ethIds.ts`).
   */
  readonly ids?: { readonly hash: Uint8Array; readonly parent: Uint8Array }
  /** Present if an operator set it; by default, blocks report zero. */
  readonly prevRandao?: Uint8Array
  readonly transactions: readonly EthereumTx[]
}

/** `index` counts Ethereum transactions only, `cometIndex` all; `raw` is the canonical encoding. */
export type EthereumTx = {
  readonly hash: Uint8Array
  readonly raw: Uint8Array
  readonly from: Uint8Array
  readonly index: number
  readonly cometIndex: number
  readonly receipt: EthereumReceipt
}

export type EthereumReceipt = {
  readonly failed: boolean
  /** The transaction was reverted after it ran, and the application returned no response. */
  readonly isMissing?: boolean
  readonly vmError: string
  readonly gasUsed: bigint
  readonly cumulativeGasUsed: bigint
  readonly effectiveGasPrice: bigint
  readonly contractAddress: Uint8Array | undefined
  readonly logs: readonly EthereumLog[]
  readonly output: Uint8Array
}

/** `index` counts all logs of the block. */
export type EthereumLog = {
  readonly address: Uint8Array
  readonly topics: readonly Uint8Array[]
  readonly data: Uint8Array
  readonly index: number
}
