/**
 * The records that a chain and its application exchange, as defined by ABCI 2.0 (CometBFT v0.38).
 * Bytes are `undefined` where Go would have nil, because the two are encoded differently
 * (`comet-rpc.md` §0.3).
 */
import type { Time } from '../data/time.ts'

export type AbciAttribute = {
  readonly key: string
  readonly value: string
  readonly index: boolean
}
export type AbciEvent = { readonly type: string; readonly attributes: readonly AbciAttribute[] }

/** The result of a transaction. CheckTx and FinalizeBlock use the same fields. */
export type TxResult = {
  readonly code: number
  readonly data: Uint8Array | undefined
  readonly log: string
  readonly info: string
  readonly gasWanted: bigint
  readonly gasUsed: bigint
  readonly events: readonly AbciEvent[]
  readonly codespace: string
}

/** The result of a transaction that succeeded and did nothing; also what the node shows where there is none. */
export const emptyTxResult: TxResult = {
  code: 0,
  data: undefined,
  log: '',
  info: '',
  gasWanted: 0n,
  gasUsed: 0n,
  events: [],
  codespace: '',
}

export type PublicKey = { readonly type: 'ed25519' | 'secp256k1'; readonly bytes: Uint8Array }
/** `power` 0 removes the validator. */
export type ValidatorUpdate = { readonly publicKey: PublicKey; readonly power: bigint }

export type ConsensusParams = {
  readonly block: { readonly maxBytes: bigint; readonly maxGas: bigint }
  readonly evidence: {
    readonly maxAgeBlocks: bigint
    readonly maxAgeNanos: bigint
    readonly maxBytes: bigint
  }
  readonly validator: { readonly publicKeyTypes: readonly string[] }
  readonly version: { readonly app: bigint }
  readonly abci: { readonly voteExtensionsEnableHeight: bigint }
}

export type AppInfo = {
  readonly data: string
  readonly version: string
  readonly appVersion: bigint
  readonly lastBlockHeight: bigint
  readonly lastBlockAppHash: Uint8Array
}

/** A validator's vote on the previous block, which slashing counts. */
export type CommitVote = {
  readonly address: Uint8Array
  readonly power: bigint
  readonly signed: boolean
}

export type Misbehavior = {
  readonly type: 'duplicateVote' | 'lightClientAttack'
  readonly address: Uint8Array
  readonly power: bigint
  readonly height: bigint
  readonly time: Time
  readonly totalPower: bigint
}

export type FinalizeBlockRequest = {
  readonly height: bigint
  readonly time: Time
  /** Hash of this block. As in CometBFT, it is known before execution. */
  readonly hash: Uint8Array
  readonly txs: readonly Uint8Array[]
  readonly proposerAddress: Uint8Array
  readonly nextValidatorsHash: Uint8Array
  readonly lastCommit: { readonly round: number; readonly votes: readonly CommitVote[] }
  readonly misbehavior: readonly Misbehavior[]
}

export type FinalizeBlockResult = {
  readonly events: readonly AbciEvent[]
  readonly txResults: readonly TxResult[]
  readonly validatorUpdates: readonly ValidatorUpdate[]
  readonly consensusParamUpdates: Partial<ConsensusParams> | undefined
  readonly appHash: Uint8Array
}

export type QueryRequest = {
  readonly path: string
  readonly data: Uint8Array
  readonly height: bigint
  readonly prove: boolean
}

export type ProofOp = { readonly type: string; readonly key: Uint8Array; readonly data: Uint8Array }

export type QueryResult = {
  readonly code: number
  readonly log: string
  readonly info: string
  readonly index: bigint
  readonly key: Uint8Array | undefined
  readonly value: Uint8Array | undefined
  readonly proofOps: readonly ProofOp[] | undefined
  readonly height: bigint
  readonly codespace: string
}

/** The result of a query that found nothing. */
export const emptyQueryResult: QueryResult = {
  code: 0,
  log: '',
  info: '',
  index: 0n,
  key: undefined,
  value: undefined,
  proofOps: undefined,
  height: 0n,
  codespace: '',
}
