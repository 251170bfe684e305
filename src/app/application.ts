/**
 * The seam between a chain and the application behind it, as in CometBFT: the chain knows these
 * functions and nothing of modules. An application is a value without state of its own; all state
 * is an `AppState` that goes in and comes out.
 */
import { SimError } from '../errors.ts'
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
   * The version that headers carry where the application leaves the consensus parameters to the
   * genesis (CometBFT's handshake); else they say it.
   */
  readonly protocolVersion?: bigint

  /** Returns what `abci_info` shows. */
  readonly info: (state: AppState) => AppInfo

  /** Returns the state before block 1. Throws `InvalidGenesis` and names the key at fault. */
  readonly initChain: (request: InitChainRequest) => InitChainResult

  /**
   * Returns the verdict on a transaction and the state with its effect on later checks
   * (sequences, fees), which the next commit forgets.
   */
  readonly checkTx: (state: AppState, tx: Uint8Array, kind: 'new' | 'recheck') => CheckTxOutcome

  /**
   * Returns the candidates in block order, within the limits: nonce order per account, best tip
   * first across accounts where the application keeps its own mempool, else arrival order.
   */
  readonly prepareProposal: (state: AppState, request: ProposalRequest) => readonly number[]

  /** Returns the bytes that a proposal has instead of a candidate's; absent, its own. */
  readonly rewritten?: (tx: Uint8Array) => Uint8Array

  /** Why no further block can be made: an upgrade waits for another program. */
  readonly halted: (state: AppState) => string | undefined

  /** Executes a block. A bug fails one transaction or hook and is among the incidents. */
  readonly finalizeBlock: (state: AppState, request: FinalizeBlockRequest) => FinalizedBlock

  /** Makes the finalized state the committed one; check state starts over from it. */
  readonly commit: (state: AppState) => AppState

  /**
   * Answers `abci_query` on the state of one height. Errors are codes; throws `GoPanic` only, where
   * the real application panics.
   */
  readonly query: (state: AppState, request: QueryRequest, context: QueryContext) => QueryResult

  /**
   * Answers a call of a query service (`/package.Service/Method`) as gRPC does, with the bytes of
   * its response; absent where there are no services. Throws `GrpcStatus`.
   */
  readonly callService?: (state: AppState, request: QueryRequest, context: QueryContext) => Uint8Array

  /** Returns the state with an operator's edits in its overlay (design §3); throws on bad edits. */
  readonly edit: (state: AppState, edits: readonly StateEdit[]) => Edited

  /**
   * Makes facts about the chain that this one goes on from known to all its states (`forked.ts`);
   * absent where no chain can be gone on from.
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
  /** Whether the chain goes on from another one, whose state is asked for when it is needed. */
  readonly isForked?: boolean
}

export type InitChainResult = {
  readonly state: AppState
  /** The validators to start with: those the genesis transactions made, or those given. */
  readonly validators: readonly ValidatorUpdate[]
  readonly consensusParams: ConsensusParams
  readonly appHash: Uint8Array
}

/** The uncommitted state after a block, with its results and app hash. */
export type FinalizedBlock = {
  readonly state: AppState
  readonly result: FinalizeBlockResult
  /** Bugs that came to light: where, and what was thrown. */
  readonly incidents?: readonly string[]
}

/** The verdict on a transaction, the state with its effect, and what the mempool needs to know. */
export type CheckTxOutcome = {
  readonly state: AppState
  readonly result: TxResult
  readonly info: TxInfo | undefined
  /** Its nonce leaves a gap: it waits, but is no candidate until the gap closes. */
  readonly queued: boolean
  /** Bugs that came to light: where, and what was thrown. */
  readonly incidents?: readonly string[]
}

/** What the mempool needs to know of a transaction, whatever its kind. */
export type TxInfo = {
  /** keccak256 hash of the Ethereum transaction inside, if it is one. */
  readonly ethHash: Uint8Array | undefined
  /** 20 bytes; the first signer. */
  readonly sender: Uint8Array
  readonly nonce: bigint
  readonly gasLimit: bigint
  readonly feeCap: bigint
  readonly tipCap: bigint
  /** Bytes of the Ethereum transaction inside, 0 when it is none. */
  readonly ethSize: number
  readonly kind: 'ethereum' | 'cosmos'
}

export type Candidate = { readonly tx: Uint8Array; readonly info: TxInfo | undefined }

export type ProposalRequest = {
  readonly candidates: readonly Candidate[]
  readonly maxTxBytes: bigint
  readonly maxGas: bigint
}

/**
 * What a query may ask of the chain around the application (SDK: `tx` and `tendermint` services).
 */
export type QueryContext = {
  readonly stateAt: (height: bigint) => AppState | undefined
  readonly latestHeight: bigint
  readonly earliestHeight: bigint
  readonly chainId: string
  /** Absent where only stores are asked. */
  readonly services?: ChainServices
}

/** What the SDK's services ask the node for. Bytes of blocks are protobuf (CometBFT v0.38). */
export type ChainServices = {
  /** Throws CometBFT's error for a height that is not held. */
  readonly blockAt: (height: bigint) => FoundBlock
  readonly txByHash: (hash: Uint8Array) => FoundTx | undefined
  /** One page of what a query matches. Throws on one that cannot be read, or beyond the last. */
  readonly txsOf: (query: string, page: TxPage) => { total: number; txs: readonly FoundTx[] }
  /** The validators of a height, of the next block without one. Throws as `validators` does. */
  readonly validatorsAt: (height: bigint | undefined, page: Omit<TxPage, 'order'>) => FoundValidators
  readonly node: () => NodeIdentity
}

export type TxPage = {
  readonly page: bigint
  readonly limit: bigint
  readonly order: '' | 'asc' | 'desc'
}

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

/** Who the node says it is to its peers. */
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

/** A state after edits, and what they change of the validators, as the end of a block says it. */
export type Edited = {
  readonly state: AppState
  readonly validatorUpdates: readonly ValidatorUpdate[]
}

/** An operator's change of state. Amounts in the smallest unit; addresses 20 bytes. */
export type StateEdit =
  | {
      readonly type: 'setBalance'
      readonly address: Uint8Array
      readonly denom?: string
      readonly amount: bigint
    }
  | { readonly type: 'setNonce'; readonly address: Uint8Array; readonly nonce: bigint }
  | { readonly type: 'setCode'; readonly address: Uint8Array; readonly code: Uint8Array }
  | {
      readonly type: 'setStorage'
      readonly address: Uint8Array
      readonly slot: Uint8Array
      readonly value: Uint8Array
    }
  | { readonly type: 'setBaseFee'; readonly baseFee: bigint }
  | { readonly type: 'setConsensusParams'; readonly params: Partial<ConsensusParams> }
  | ConsensusEdit
  /** Lets transactions of an account (of all, without an address) pass unsigned; `unsigned.ts`. */
  | {
      readonly type: 'setImpersonated'
      readonly address: Uint8Array | undefined
      readonly isOn: boolean
    }
  /** What COINBASE says in the next blocks; undefined is the proposer's operator again. */
  | { readonly type: 'setCoinbase'; readonly address: Uint8Array | undefined }
  /** What PREVRANDAO says in the next block alone. */
  | { readonly type: 'setPrevRandao'; readonly value: Uint8Array }

/** An operator's change of validators or of what the chain will do. Powers are consensus powers. */
export type ConsensusEdit =
  /** A key that no validator signs with makes one, with this name. */
  | {
      readonly type: 'setPower'
      readonly publicKey: Uint8Array
      readonly moniker: string
      readonly power: bigint
    }
  /** `fraction` of the stake that is lost, in 18-digit fixed point. */
  | {
      readonly type: 'setJailed'
      readonly consensus: Uint8Array
      readonly isJailed: boolean
      readonly fraction: bigint
    }
  /** Undefined takes a plan back: the chain goes on. */
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

/** The application fails a call on purpose, with a text of the scenario's (design §3). */
export class AppFailed extends SimError {
  constructor(text: string) {
    super('APP_FAILED', text)
  }
}
