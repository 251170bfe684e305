/**
 * The interface between a chain and its application, as in CometBFT. The chain knows only these
 * functions and nothing about modules. An application is stateless: each function takes an
 * `AppState` and returns a new one.
 */
import { SimError } from '../errors.ts'
import type { EthereumEdit } from './ethereumEdit.ts'
import type { EthereumTxInfo, LeavingView } from './ethereumView.ts'
import type { Fact } from './forked.ts'
import type { AppState } from './state.ts'
import type {
  AppInfo,
  ConsensusParams,
  FinalizeBlockRequest,
  FinalizeBlockResult,
  QueryRequest,
  QueryResult,
  TxResult,
  ValidatorUpdate,
} from './abci.ts'
import type { Time } from '../data/time.ts'

export type Application = {
  readonly name: string

  /**
   * Application version in block headers. Without it, headers use the version in the genesis
   * consensus parameters (CometBFT's handshake).
   */
  readonly protocolVersion?: bigint

  /** Returns the response to `abci_info`. */
  readonly info: (state: AppState) => AppInfo

  /** Returns the state before block 1. Throws `InvalidGenesis`, which names the invalid key. */
  readonly initChain: (request: InitChainRequest) => InitChainResult

  /**
   * Returns the verdict on a transaction and the state that later checks see. Its changes
   * (sequences, fees) are discarded by the next commit.
   */
  readonly checkTx: (state: AppState, tx: Uint8Array, kind: 'new' | 'recheck') => CheckTxOutcome

  /**
   * Returns the candidates in block order, within the limits. An application with its own mempool
   * orders by nonce per account, then by highest tip across accounts. Otherwise the order is
   * arrival order.
   */
  readonly prepareProposal: (state: AppState, request: ProposalRequest) => readonly number[]

  /**
   * Returns the bytes that a proposal contains instead of the candidate's. Without this function,
   * the proposal contains the candidate's bytes.
   */
  readonly rewritten?: (tx: Uint8Array) => Uint8Array

  /**
   * Returns why no further block can be mined (an upgrade requires another binary), or undefined.
   */
  readonly halted: (state: AppState) => string | undefined

  /** Executes a block. A bug fails only one transaction or hook and is listed in `incidents`. */
  readonly finalizeBlock: (state: AppState, request: FinalizeBlockRequest) => FinalizedBlock

  /** Commits the finalized state and resets the check state to it. */
  readonly commit: (state: AppState) => AppState

  /**
   * Answers `abci_query` on the state of one height. Errors are returned as codes. Throws `GoPanic`
   * only where the real application panics.
   */
  readonly query: (state: AppState, request: QueryRequest, context: QueryContext) => QueryResult

  /**
   * Answers a call to a query service (`/package.Service/Method`) with the bytes of the gRPC
   * response. Absent if the application has no services. Throws `GrpcStatus`.
   */
  readonly callService?: (state: AppState, request: QueryRequest, context: QueryContext) => Uint8Array

  /**
   * Returns the state with an operator's edits in its overlay (design §3). Throws on invalid edits.
   */
  readonly edit: (state: AppState, edits: readonly StateEdit[]) => Edited

  /**
   * Adds facts about the forked chain to all states of this chain (`forked.ts`). Absent if the
   * application does not support forks.
   */
  readonly learn?: (state: AppState, facts: readonly Fact[]) => void
}

export type InitChainRequest = {
  readonly time: Time
  readonly chainId: string
  readonly initialHeight: bigint
  readonly consensusParams: ConsensusParams
  readonly validators: readonly ValidatorUpdate[]
  /** The parsed `app_state` of the genesis document. */
  readonly appState: unknown
  /** Whether the chain is a fork, which fetches the other chain's state on demand. */
  readonly isForked?: boolean
}

export type InitChainResult = {
  readonly state: AppState
  /** The initial validator set: created by the genesis transactions, or given in the request. */
  readonly validators: readonly ValidatorUpdate[]
  readonly consensusParams: ConsensusParams
  readonly appHash: Uint8Array
}

/** The uncommitted state after a block, with its results and app hash. */
export type FinalizedBlock = {
  readonly state: AppState
  readonly result: FinalizeBlockResult
  /** Bugs found during execution: where each occurred and what was thrown. */
  readonly incidents?: readonly string[]
}

/** The verdict on a transaction, the state with its effect, and the details the mempool needs. */
export type CheckTxOutcome = {
  readonly state: AppState
  readonly result: TxResult
  readonly info: TxInfo | undefined
  /**
   * Whether the nonce leaves a gap. The transaction is queued, and becomes a candidate once the gap
   * closes.
   */
  readonly queued: boolean
  /** The result for CometBFT if it differs: the application keeps some transactions for itself. */
  readonly reported?: TxResult
  /** The sender of an Ethereum transaction, if the application has its own mempool. */
  readonly account?: PoolAccount | undefined
  /** Bugs found during the check: where each occurred and what was thrown. */
  readonly incidents?: readonly string[]
}

/** A sender as the last block left it: its balance in wei, and whether it has code (EIP-7702). */
export type PoolAccount = { readonly balance: bigint; readonly nonce: bigint; readonly hasCode: boolean }

/** The details of a transaction that the mempool needs, whatever its type. */
export type TxInfo = {
  /** Address of the first signer, 20 bytes. */
  readonly sender: Uint8Array
  readonly nonce: bigint
  readonly gasLimit: bigint
  /** In wei per gas. */
  readonly feeCap: bigint
  readonly tipCap: bigint
} & EthereumTxInfo

export type Candidate = { readonly tx: Uint8Array; readonly info: TxInfo | undefined }

export type ProposalRequest = {
  readonly candidates: readonly Candidate[]
  readonly maxTxBytes: bigint
  readonly maxGas: bigint
}

/** The chain data available to a query (SDK: `tx` and `tendermint` services). */
export type QueryContext = {
  readonly stateAt: (height: bigint) => AppState | undefined
  readonly latestHeight: bigint
  readonly earliestHeight: bigint
  readonly chainId: string
  /** Absent if the query reads only stores. */
  readonly services?: ChainServices
  /** Runs messages that may leave the core; absent if they may not. */
  readonly view?: LeavingView
}

/** The node functions that the SDK's services call. Blocks are protobuf bytes (CometBFT v0.38). */
export type ChainServices = {
  /** Throws CometBFT's error for a height that is not stored. */
  readonly blockAt: (height: bigint) => FoundBlock
  readonly txByHash: (hash: Uint8Array) => FoundTx | undefined
  /**
   * Returns one page of the transactions that match a query. Throws if the query is malformed or
   * the page is out of range.
   */
  readonly txsOf: (query: string, page: TxPage) => { total: number; txs: readonly FoundTx[] }
  /**
   * Returns the validator set at a height, or for the next block if no height is given. Throws as
   * `validators` does.
   */
  readonly validatorsAt: (height: bigint | undefined, page: Omit<TxPage, 'order'>) => FoundValidators
  readonly node: () => NodeIdentity
}

export type TxPage = { readonly page: bigint; readonly limit: bigint; readonly order: '' | 'asc' | 'desc' }

export type FoundValidators = {
  readonly height: bigint
  readonly total: number
  readonly validators: readonly {
    readonly address: Uint8Array
    readonly publicKey: Uint8Array
    readonly power: bigint
    readonly priority: bigint
  }[]
}

/** The identity that the node reports to its peers. */
export type NodeIdentity = {
  readonly id: string
  readonly listenAddress: string
  readonly version: string
  /** Hex. */
  readonly channels: string
  readonly moniker: string
  readonly txIndex: string
  readonly rpcAddress: string
}

export type FoundBlock = {
  readonly height: bigint
  readonly id: Uint8Array
  readonly block: Uint8Array
  readonly txs: readonly Uint8Array[]
}

export type FoundTx = {
  readonly height: bigint
  readonly time: Time
  readonly hash: Uint8Array
  readonly tx: Uint8Array
  readonly result: TxResult
}

/** A state after edits, with the validator updates that the end of the block reports. */
export type Edited = {
  readonly state: AppState
  readonly validatorUpdates: readonly ValidatorUpdate[]
}

/** A state change made by an operator. Amounts are in the smallest unit; addresses are 20 bytes. */
export type StateEdit =
  | {
      readonly type: 'setBalance' | 'addBalance'
      readonly address: Uint8Array
      readonly denom?: string
      readonly amount: bigint
    }
  | { readonly type: 'setConsensusParams'; readonly params: Partial<ConsensusParams> }
  | ConsensusEdit
  | EthereumEdit

/** An operator's change to the validator set or to upgrades. Powers are consensus powers. */
export type ConsensusEdit =
  /** A key that no validator uses creates a validator with this name. */
  | {
      readonly type: 'setPower'
      readonly publicKey: Uint8Array
      readonly moniker: string
      readonly power: bigint
    }
  /** `fraction` is the share of the stake that is slashed, in 18-digit fixed point. */
  | {
      readonly type: 'setJailed'
      readonly consensus: Uint8Array
      readonly isJailed: boolean
      readonly fraction: bigint
    }
  /** Undefined cancels the upgrade plan, so the chain continues. */
  | {
      readonly type: 'planUpgrade'
      readonly plan:
        | {
            readonly name: string
            readonly height: bigint
            readonly info: string
          }
        | undefined
    }

/** An intentional application failure, with the text given in the scenario (design §3). */
export class AppFailed extends SimError {
  constructor(text: string) {
    super('APP_FAILED', text)
  }
}
