/**
 * What Ethereum JSON-RPC asks an application that has an EVM: state reads, calls and traces on the state
 * of any height. All functions are pure reads; nothing they do stays.
 */
import type { EthAuthorization } from '../codec/ethTx.ts'
import { SimError } from '../errors.ts'
import type { FinalizeBlockRequest, TxResult } from './abci.ts'
import type { EvmAuthorization, EvmResult, EvmTracePlace, EvmTx, Fork, GasSlice } from '../evm/types.ts'
import type { AppState, BlockContext } from './state.ts'

export type EthereumView = {
  /** `wei` is spendable (vesting is locked away); absent accounts have none and nonce 0. */
  readonly account: (state: AppState, address: Uint8Array) => EthereumAccount
  readonly code: (state: AppState, address: Uint8Array) => Uint8Array
  readonly slot: (state: AppState, address: Uint8Array, key: Uint8Array) => Uint8Array
  readonly params: (state: AppState) => EvmParams
  /**
   * Yields every account that a transaction could come from or go to, in order of address; those of
   * modules left out.
   */
  readonly accounts: (state: AppState) => Iterable<EthereumContent>

  /** Returns a decoded and recovered transaction; throws the errors of `codec/ethTx.ts`. */
  readonly decode: (raw: Uint8Array) => RecoveredTx

  /** Returns a tuple of EIP-7702 as the EVM takes it: with whoever signed it. */
  readonly recoverAuthorization: (signed: EthAuthorization) => EvmAuthorization

  /** Returns the gas that a transaction pays before its first instruction. */
  readonly intrinsicGas: (tx: EvmTx) => bigint

  /** Returns the Comet transaction bytes that carry an Ethereum one (`cosmos-evm-rpc.md` §4.1). */
  readonly wrap: (tx: RecoveredTx) => Uint8Array

  /** Returns the Ethereum transactions inside Comet transaction bytes, `[]` for others. */
  readonly unwrap: (cometTx: Uint8Array) => readonly RecoveredTx[]

  /** Runs a message on a state as in `eth_call`: no signature, nonce and fee checks off. */
  readonly call: (state: AppState, call: EthereumCall) => EvmResult

  /** Runs messages one after the other, each on what those before it left, and forgets it all. */
  readonly series: (state: AppState, blocks: readonly CallBlock[]) => readonly (readonly EvmResult[])[]

  /** Returns the least gas with which the call succeeds; throws as `eth_estimateGas` answers. */
  readonly estimate: (state: AppState, call: EthereumCall) => bigint

  /**
   * Traces a message or, with `before`, the last of several transactions after the earlier ones
   * ran. The answer is JSON text as geth writes it.
   */
  readonly trace: (state: AppState, call: EthereumTrace) => string

  /** Returns what traces the transactions of a block one after the other, each after those before it. */
  readonly tracerAfter: (state: AppState, block: BlockContext, txs: readonly RecoveredTx[]) => TraceAfter

  /** The account of the operator of a validator, by consensus address; zero when there is none. */
  readonly operatorOf: (state: AppState, consensusAddress: Uint8Array) => Uint8Array

  /** Whether an account may send without a signature (`unsigned.ts`). */
  readonly isImpersonated: (state: AppState, address: Uint8Array) => boolean

  /** The base fee of the block after the one this state belongs to. */
  readonly nextBaseFee: (state: AppState) => bigint

  /** Executes a block that nobody commits, for what can be read after it. */
  readonly preview: (state: AppState, request: FinalizeBlockRequest) => BlockPreview
}

/** The state after an uncommitted block and what its transactions came to. */
export type BlockPreview = { readonly state: AppState; readonly txResults: readonly TxResult[] }

export type EthereumAccount = {
  readonly wei: bigint
  readonly nonce: bigint
  readonly codeHash: Uint8Array
  readonly exists: boolean
}

/** `slots` are those that were ever written, in order. */
export type EthereumContent = Pick<EthereumAccount, 'wei' | 'nonce'> & {
  readonly address: Uint8Array
  readonly code: Uint8Array
  readonly slots: readonly { readonly key: Uint8Array; readonly value: Uint8Array }[]
}

export type EvmParams = {
  readonly chainId: bigint
  readonly denom: string
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
  /** Of the signature, as JSON shows it; `chainId` is absent for an unprotected legacy one. */
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
  /** Gas the call may burn before it counts as timed out (design §10). */
  readonly gasBudget: bigint | undefined
  readonly overrides: readonly StateOverride[]
  readonly blockOverride: BlockOverride
  /** Gas that all its executions may use together; more ends as `SliceOver`. */
  readonly slice?: GasSlice
}

/**
 * Messages of one block; the overrides are there before the first and stay. Theirs do not count.
 */
export type CallBlock = {
  readonly overrides: readonly StateOverride[]
  readonly calls: readonly EthereumCall[]
}

/** EIP-less, from geth's `eth_call`: what a call should believe of an account. */
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
  readonly before: readonly RecoveredTx[]
  readonly call: EthereumCall | RecoveredTx
  /** Name of a tracer ('' is geth's struct logger) and its configuration as JSON text. */
  readonly tracer: string
  readonly config: string
  /** How long a tracer in JavaScript may run, by a clock that counts its steps. */
  readonly timeoutNanos?: bigint
  /** Whether a tracer is told that a transaction failed, and its gas; the node does not tell it. */
  readonly endsFailed?: boolean
  /** Where the transaction stands; a message has the block that it follows alone. */
  readonly place?: EvmTracePlace
  /** What is charged for the gas that a success used; absent, it is the same. */
  readonly charge?: GasCharge
  readonly slice?: GasSlice
}

/** Gas that is charged whatever was used, or at least. */
export type GasCharge = { readonly exactly: bigint } | { readonly atLeast: bigint }

/** Returns the gas that is charged for gas used. */
export function chargedGas(charge: GasCharge, used: bigint): bigint {
  if ('exactly' in charge) return charge.exactly
  return used > charge.atLeast ? used : charge.atLeast
}

/** A trace beside the transactions that run before it and their block. */
export type Traced = Omit<EthereumTrace, 'before' | 'context'>

/** Traces after the first `count` transactions of a block; `count` must not fall from call to call. */
export type TraceAfter = (count: number, trace: Traced) => string

/** No gas makes the call succeed; `result` is how it ended, where that explains it. */
export class EstimateFailed extends SimError {
  readonly result: EvmResult | undefined

  constructor(text: string, result: EvmResult | undefined) {
    super('ESTIMATE_FAILED', text)
    this.result = result
  }
}
