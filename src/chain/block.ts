/**
 * The records of a chain: what a block, its commit and its results are made of. Hashes are 32
 * bytes, addresses 20; wire spellings are in `codec/comet.ts`, hashing in `chain/hashing.ts`; the byte
 * members of a header are listed in `codec/headerHashes.ts`.
 */
import type { HeaderHash } from '../codec/headerHashes.ts'
import type { ConsensusParams, AbciEvent, PublicKey, TxResult, ValidatorUpdate } from '../app/abci.ts'
import type { TxInfo } from '../app/application.ts'
import type { Time } from '../data/time.ts'

/** `hash` is empty in the block id that block 1 points back to. */
export type BlockId = {
  readonly hash: Uint8Array
  readonly parts: { readonly total: number; readonly hash: Uint8Array }
}

export type Header = {
  readonly version: { readonly block: bigint; readonly app: bigint }
  readonly chainId: string
  readonly height: bigint
  readonly time: Time
  readonly lastBlockId: BlockId
} & Readonly<Record<HeaderHash, Uint8Array>>

/** `flag` 1: absent (other fields empty), 2: for the block, 3: for nil. */
export type CommitSignature = {
  readonly flag: 1 | 2 | 3
  readonly address: Uint8Array
  readonly time: Time
  readonly signature: Uint8Array
}

export type Commit = {
  readonly height: bigint
  readonly round: number
  readonly blockId: BlockId
  readonly signatures: readonly CommitSignature[]
}

export type Vote = {
  readonly type: 1 | 2
  readonly height: bigint
  readonly round: number
  readonly blockId: BlockId
  readonly time: Time
  readonly validatorAddress: Uint8Array
  readonly validatorIndex: number
  readonly signature: Uint8Array
}

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

/** `priority` is the proposer priority of the height the set belongs to (`comet-rpc.md` §5.9). */
export type Validator = {
  readonly address: Uint8Array
  readonly publicKey: PublicKey
  readonly power: bigint
  readonly priority: bigint
}

/** Ordered by power downwards, then address. `proposer` is an index. */
export type ValidatorSet = { readonly validators: readonly Validator[]; readonly proposer: number }

/**
 * What FinalizeBlock said of a block, as `block_results` shows it; `appHash` is the one after it.
 */
export type BlockResults = {
  readonly txResults: readonly TxResult[]
  readonly events: readonly AbciEvent[]
  readonly validatorUpdates: readonly ValidatorUpdate[]
  readonly consensusParamUpdates: Partial<ConsensusParams> | undefined
  readonly appHash: Uint8Array
}

/** Everything kept of one height. `seenCommit` is the commit before H+1 carries it. */
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

/** What Ethereum JSON-RPC shows of a block, be it mined or pending. */
export type ShownBlock = Pick<BlockRecord, 'block' | 'ethereum'> & {
  readonly id: Pick<BlockId, 'hash'>
}

/**
 * A transaction in its block; `hash` is sha256 of its bytes, `info` is absent for undecodable
 * bytes.
 */
export type TxRecord = {
  readonly hash: Uint8Array
  readonly index: number
  readonly info: TxInfo | undefined
}

/**
 * A block as Ethereum JSON-RPC sees it (`cosmos-evm-rpc.md` §3): made once, at commit. What follows from
 * it alone, like its roots, is worked out when somebody asks (`ethereumRoots.ts`).
 */
export type EthereumBlock = {
  readonly baseFee: bigint | undefined
  readonly gasLimit: bigint
  readonly gasUsed: bigint
  readonly miner: Uint8Array
  /** Its hash and its parent's on Ethereum JSON-RPC, where these are not CometBFT's (`ethIds.ts`). */
  readonly ids?: { readonly hash: Uint8Array; readonly parent: Uint8Array }
  /** Where an operator set it; the node's own blocks say zero. */
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
  /** The transaction was taken back after it ran: the application has answered nothing. */
  readonly isMissing?: boolean
  readonly vmError: string
  readonly gasUsed: bigint
  readonly cumulativeGasUsed: bigint
  readonly effectiveGasPrice: bigint
  readonly contractAddress: Uint8Array | undefined
  readonly logs: readonly EthereumLog[]
  readonly output: Uint8Array
}

/** `index` counts through the block. */
export type EthereumLog = {
  readonly address: Uint8Array
  readonly topics: readonly Uint8Array[]
  readonly data: Uint8Array
  readonly index: number
}
