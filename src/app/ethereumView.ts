/**
 * The functions that Ethereum JSON-RPC calls on an application with an EVM: state reads, calls and
 * traces at any height. All of them are pure reads and change no state. The EVM's parts of other
 * types follow.
 */
import type { EvmCoin } from './evmCoin.ts'
import type { EthAuthorization } from '../codec/ethTx.ts'
import { assert, SimError } from '../errors.ts'
import type { FinalizeBlockRequest, TxResult } from './abci.ts'
import type { EvmAuthorization, EvmLog, EvmResult, EvmTracePlace, EvmTx, Fork, GasSlice } from '../evm/types.ts'
import type { AppState, BlockContext } from './state.ts'

export type EthereumView = {
  /**
   * `wei` is the spendable balance (without locked vesting funds). A missing account has 0 wei and
   * nonce 0.
   */
  readonly account: (state: AppState, address: Uint8Array) => EthereumAccount
  readonly code: (state: AppState, address: Uint8Array) => Uint8Array
  /** Yields the code of every contract that there was, each code once. */
  readonly codes: (state: AppState) => Iterable<Uint8Array>
  readonly slot: (state: AppState, address: Uint8Array, key: Uint8Array) => Uint8Array
  /** Returns the storage slots that a contract has written, in order of their keys. */
  readonly slots: (state: AppState, address: Uint8Array) => EthereumContent['slots']
  readonly params: (state: AppState) => EvmParams
  /**
   * Yields every account that can send or receive transactions, ordered by address. Module accounts
   * are left out.
   */
  readonly accounts: (state: AppState) => Iterable<EthereumContent>

  /**
   * Returns a transaction decoded from its bytes, with its sender. Throws the errors of
   * `codec/ethTx.ts`.
   */
  readonly decode: (raw: Uint8Array) => RecoveredTx

  /** Returns an EIP-7702 authorization in the EVM's form, with its recovered signer. */
  readonly recoverAuthorization: (signed: EthAuthorization) => EvmAuthorization

  /** Returns the intrinsic gas of a transaction, charged before its first instruction. */
  readonly intrinsicGas: (tx: EvmTx) => bigint

  /**
   * Returns the CometBFT transaction bytes that wrap an Ethereum transaction on a state's chain
   * (`cosmos-evm-rpc.md` §4.1).
   */
  readonly wrap: (state: AppState, tx: RecoveredTx) => Uint8Array

  /**
   * Returns the Ethereum transactions inside CometBFT transaction bytes; `[]` if there are none.
   */
  readonly unwrap: (cometTx: Uint8Array) => readonly RecoveredTx[]

  /** Runs a message on a state as `eth_call` does, without signature, nonce and fee checks. */
  readonly call: (state: AppState, call: EthereumCall) => EvmResult

  /**
   * Runs messages in order, each on the state left by the previous ones, then discards all changes.
   */
  readonly series: (state: AppState, blocks: readonly CallBlock[]) => readonly CallBlockEnd[]

  /**
   * Returns the minimum gas with which the call succeeds. Throws the errors of `eth_estimateGas`.
   */
  readonly estimate: (state: AppState, call: EthereumCall) => bigint

  /**
   * Traces a message or, with `before`, the last of several transactions after executing the
   * earlier ones. Returns JSON text in geth's format.
   */
  readonly trace: (state: AppState, call: EthereumTrace) => string

  /**
   * Returns traces of transactions of the block that follows a state. Each transaction runs once for
   * those after it. `asked` is called only if the traces are not known yet.
   */
  readonly blockTraces: (asked: () => BlockTraces) => readonly TraceEnd[]

  /** Returns the operator account of a validator, given its consensus address; zero if unknown. */
  readonly operatorOf: (state: AppState, consensusAddress: Uint8Array) => Uint8Array

  /** Returns whether an account may send without a signature (`unsigned.ts`). */
  readonly isImpersonated: (state: AppState, address: Uint8Array) => boolean

  /** Returns the base fee of the block after this state's block. */
  readonly nextBaseFee: (state: AppState) => bigint

  /** Executes a block without committing it, so that its results can be read. */
  readonly preview: (state: AppState, request: FinalizeBlockRequest) => BlockPreview
}

/** The functions that run messages: through a view that may leave the core, long ones do. */
export type LeavingView = Pick<EthereumView, 'call' | 'estimate' | 'blockTraces'>

/** The state after an uncommitted block, and the results of its transactions. */
export type BlockPreview = { readonly state: AppState; readonly txResults: readonly TxResult[] }

export type EthereumAccount = {
  readonly wei: bigint
  readonly nonce: bigint
  readonly codeHash: Uint8Array
  readonly exists: boolean
}

/** `slots` are all slots ever written, in order. */
export type EthereumContent = Pick<EthereumAccount, 'wei' | 'nonce'> & {
  readonly address: Uint8Array
  readonly code: Uint8Array
  readonly slots: readonly { readonly key: Uint8Array; readonly value: Uint8Array }[]
}

export type EvmParams = {
  readonly chainId: bigint
  readonly coin: EvmCoin
  readonly fork: Fork
  readonly minGasPrice: bigint
  /** In 18-digit fixed point. */
  readonly minGasMultiplier: bigint
  readonly elasticityMultiplier: bigint
  readonly baseFeeChangeDenominator: bigint
  readonly noBaseFee: boolean
}

/** `from` is recovered, `hash` is keccak256 of the canonical bytes `raw`. */
export type RecoveredTx = {
  readonly raw: Uint8Array
  readonly hash: Uint8Array
  readonly from: Uint8Array
  readonly tx: EvmTx
  /** The signature as JSON shows it. `chainId` is absent for an unprotected legacy transaction. */
  readonly signature: {
    readonly v: bigint
    readonly r: bigint
    readonly s: bigint
    readonly yParity: number
  }
  readonly chainId: bigint | undefined
  readonly authorizationSignatures: readonly {
    readonly yParity: bigint
    readonly r: bigint
    readonly s: bigint
  }[]
}

export type EthereumCall = {
  readonly context: BlockContext
  readonly tx: EvmTx
  readonly gasCap: bigint
  /** Gas that the call may use before it counts as timed out (design §10). */
  readonly gasBudget: bigint | undefined
  readonly overrides: readonly StateOverride[]
  readonly blockOverride: BlockOverride
  /**
   * Gas that all executions of the request may use together. Beyond it they end with `SliceOver`.
   */
  readonly slice?: GasSlice
}

/**
 * The messages of one block. Its overrides apply before the first message and persist. Overrides of
 * single calls are not supported. With `rules`, the messages run as transactions of a new block.
 */
export type CallBlock = {
  readonly overrides: readonly StateOverride[]
  readonly calls: readonly EthereumCall[]
  readonly rules?: BlockRules
}

/** A simulated block; `hash` is what later blocks see. `asked` has a row for each message. */
export type BlockRules = {
  readonly hash: Uint8Array
  readonly block: BlockOverride & Required<Pick<BlockOverride, 'height' | 'gasLimit'>>
  /** Whether nonces and fee caps are checked, as in a real block. */
  readonly isValidated: boolean
  /** Whether transfers of the native token are among the logs (ERC-7528). */
  readonly logsTransfers: boolean
  readonly asked: readonly { readonly gas: bigint | undefined; readonly nonce: bigint | undefined }[]
}

/**
 * The results of a block's messages. With rules, the series ends with the first message that is
 * `refused`, and `ran` says how each ran.
 */
export type CallBlockEnd = {
  readonly results: readonly EvmResult[]
  readonly baseFee: bigint
  /** The gas limit and the nonce of each message. */
  readonly ran: readonly { readonly gas: bigint; readonly nonce: bigint }[]
  /** The logs of each message with transfers in between, if they were asked for. */
  readonly logs: readonly (readonly EvmLog[])[]
}

/** The account state that a call assumes, as in geth's `eth_call` (no EIP defines it). */
export type StateOverride = {
  readonly address: Uint8Array
  readonly balance: bigint | undefined
  readonly nonce: bigint | undefined
  readonly code: Uint8Array | undefined
  readonly state: readonly (readonly [Uint8Array, Uint8Array])[] | undefined
  readonly stateDiff: readonly (readonly [Uint8Array, Uint8Array])[] | undefined
  readonly movePrecompileTo: Uint8Array | undefined
}

export type BlockOverride = {
  readonly height?: bigint
  readonly timestampSeconds?: bigint
  readonly gasLimit?: bigint
  readonly coinbase?: Uint8Array
  readonly baseFee?: bigint
  readonly blobBaseFee?: bigint
  readonly prevRandao?: Uint8Array
}

export type EthereumTrace = {
  readonly context: BlockContext
  /**
   * The transactions before this one in the block that follows the state; undefined for a message in
   * the state's own block.
   */
  readonly before?: readonly RecoveredTx[]
  readonly call: EthereumCall | RecoveredTx
  /** Name of a tracer ('' is geth's struct logger) and its configuration as JSON text. */
  readonly tracer: string
  readonly config: string
  /** Time limit for a JavaScript tracer, measured by a clock that counts its steps. */
  readonly timeoutNanos?: bigint
  /**
   * Whether a tracer is told that a transaction failed, and its gas. The reference node omits this.
   */
  readonly endsFailed?: boolean
  /** Position of the transaction. A plain message has only the block that it follows. */
  readonly place?: EvmTracePlace
  /** Gas charged for a successful execution; if absent, the gas used. */
  readonly charge?: GasCharge
  readonly slice?: GasSlice
}

/** A fixed gas charge, or a minimum. */
export type GasCharge = { readonly exactly: bigint } | { readonly atLeast: bigint }

/** Returns the gas charged for the gas executed, of which refunds are taken. The floor of EIP-7623 is not charged. */
export function chargedGas(charge: GasCharge | undefined, used: bigint): bigint {
  if (charge === undefined) return used
  if ('exactly' in charge) return charge.exactly
  return used > charge.atLeast ? used : charge.atLeast
}

/** A trace request without its block and preceding transactions. */
export type Traced = Omit<EthereumTrace, 'before' | 'context'>

/**
 * Traces in a block, each after the first `count` of its transactions; `count` must not decrease. Together they have
 * at most `bytesMost` bytes (default `traceMost`); those beyond end with `TraceTooLong`.
 */
export type BlockTraces = {
  readonly state: AppState
  readonly block: BlockContext
  readonly txs: readonly RecoveredTx[]
  readonly wanted: readonly (Traced & { readonly count: number })[]
  readonly bytesMost?: number
}

/** The end of one of several traces: its JSON text, or an error that a user can cause. */
export type TraceEnd = { readonly json: string } | { readonly error: SimError }

/** Returns the JSON text of a trace. Throws its error. */
export function traceJson(end: TraceEnd | undefined): string {
  assert(end !== undefined, 'there is an end for each trace')
  if ('error' in end) throw end.error
  return end.json
}

/** The call succeeds with no amount of gas. `result` is the final execution, if it explains why. */
export class EstimateFailed extends SimError {
  readonly result: EvmResult | undefined

  constructor(text: string, result: EvmResult | undefined) {
    super('ESTIMATE_FAILED', text)
    this.result = result
  }
}

/** The details of a transaction that only the Ethereum side needs. */
export type EthereumTxInfo = {
  /** keccak256 hash of the embedded Ethereum transaction, if any. */
  readonly ethHash: Uint8Array | undefined
  /** Size of the embedded Ethereum transaction in bytes; 0 if there is none. */
  readonly ethSize: number
  /** The most wei that an Ethereum transaction may cost, with its value. */
  readonly cost: bigint
  /** Accounts that sign an authorization of an Ethereum transaction (EIP-7702), each once. */
  readonly authorities: readonly Uint8Array[]
  readonly kind: 'ethereum' | 'cosmos'
}
