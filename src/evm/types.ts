/**
 * The types of the EVM interface. Addresses are 20 bytes, hashes and storage words 32 bytes,
 * amounts are in wei. Nothing here depends on blocks, modules or JSON.
 */

import type { EvmAccess } from './access.ts'

/** Hardforks by name, oldest first. The chain runs Prague. */
export type Fork =
  | 'frontier'
  | 'homestead'
  | 'tangerine'
  | 'spurious'
  | 'byzantium'
  | 'constantinople'
  | 'petersburg'
  | 'istanbul'
  | 'berlin'
  | 'london'
  | 'paris'
  | 'shanghai'
  | 'cancun'
  | 'prague'
  | 'osaka'

/** An account in the EVM; `codeHash` is the keccak256 of the code, even if the code is empty. */
export type EvmAccount = { balance: bigint; nonce: bigint; codeHash: Uint8Array }

/** Reads the state before the transaction. A read may throw; the execution then has no effect. */
export type EvmRead = {
  account: (address: Uint8Array) => EvmAccount | undefined
  slot: (address: Uint8Array, key: Uint8Array) => Uint8Array | undefined
  code: (codeHash: Uint8Array) => Uint8Array
  blockHash: (height: bigint) => Uint8Array | undefined
}

/** The environment of a transaction. `relax` disables single checks (calls, impersonation). */
export type EvmEnv = {
  fork: Fork
  chainId: bigint
  height: bigint
  timestampSeconds: bigint
  coinbase: Uint8Array
  /** Whether address 0 begins warm instead of the coinbase (EIP-3651). */
  coldCoinbase?: boolean
  prevRandao: Uint8Array
  blockGasLimit: bigint
  baseFee: bigint
  /** If undefined, BLOBBASEFEE makes the transaction `refused` as `NilPointer`. */
  blobBaseFee: bigint | undefined
  relax: EvmRelax
  memoryLimitBytes: number
  /** Ethereum precompiles moved to another address, or removed. Their original address is an ordinary account. */
  movedPrecompiles?: readonly { from: Uint8Array; to: Uint8Array | undefined }[]
  /** Which contracts may call others and create some. Without, all may. */
  access?: EvmAccess
}

/**
 * Disabled checks. `fees`: no fee is charged or paid to the coinbase (the Cosmos ante chain has
 * done both); GASPRICE still returns the transaction's price. `nonceBump`: a call does not raise
 * the sender's nonce, as in Cosmos EVM, where the ante chain raises it; a creation raises it.
 * `blockGasLimit`: the message is not a transaction, so its init code is not limited either.
 */
export type EvmRelax = {
  nonce?: boolean
  balance?: boolean
  baseFee?: boolean
  fees?: boolean
  senderCode?: boolean
  blockGasLimit?: boolean
  codeSize?: boolean
  nonceBump?: boolean
}

/** A transaction. `to` is undefined for a contract creation; prices are in wei per gas. */
export type EvmTx = {
  type: 0 | 1 | 2 | 3 | 4
  from: Uint8Array
  to: Uint8Array | undefined
  gasLimit: bigint
  gasPrice: bigint
  priorityFee: bigint | undefined
  value: bigint
  nonce: bigint
  data: Uint8Array
  accessList: readonly AccessListEntry[]
  authorizations: readonly EvmAuthorization[]
  blobHashes: readonly Uint8Array[]
  blobFeeCap: bigint
}

export type AccessListEntry = { address: Uint8Array; slots: readonly Uint8Array[] }

/**
 * An EIP-7702 authorization, with its signer already recovered; `authority` is undefined if the
 * signature is invalid.
 */
export type EvmAuthorization = {
  chainId: bigint
  address: Uint8Array
  nonce: bigint
  authority: Uint8Array | undefined
}

/**
 * The result of a transaction. `gasPeak` is the gas that was executed, of which `refund` is
 * returned. `gasUsed` is their difference, or the floor of EIP-7623 if that is higher. `reason`
 * names a halt or a refusal. The `output` of a halt is code that a creation returned and that was
 * refused. `frameFailed` says whether any frame was reverted after it had begun.
 */
export type EvmResult = {
  status: 'success' | 'revert' | 'halt' | 'refused'
  reason: EvmReason | undefined
  gasUsed: bigint
  gasPeak: bigint
  refund: bigint
  output: Uint8Array
  frameFailed: boolean
  created: Uint8Array | undefined
  logs: readonly EvmLog[]
  diff: EvmDiff
}

/**
 * The reason of a halt or refusal. `kind` is stable (`OutOfGas`, `StackUnderflow`, `NonceTooLow`,
 * …). For a halt, `detail` is go-ethereum's error text (`invalid jump destination`); for a refusal,
 * it is meant for people.
 */
export type EvmReason = { kind: string; detail: string }

export type EvmLog = { address: Uint8Array; topics: readonly Uint8Array[]; data: Uint8Array }

/**
 * Stored accounts, sorted by address, with slots sorted by key. This order is part of the contract.
 */
export type EvmDiff = readonly EvmAccountDiff[]

/**
 * An account that the node stores, changed or not. A `destroyed` one is deleted with its storage; a `created` one
 * starts with none; Ethereum keeps no `empty` one. `code` is set if it is new.
 */
export type EvmAccountDiff = {
  address: Uint8Array
  created: boolean
  destroyed: boolean
  empty: boolean
  balance: bigint
  nonce: bigint
  codeHash: Uint8Array
  code: Uint8Array | undefined
  slots: readonly { key: Uint8Array; value: Uint8Array }[]
}

/**
 * A call to a host precompile. In a delegate call, `caller` is the sender that the calling contract
 * sees; in a code call (CALLCODE), it is that contract itself.
 */
export type HostCall = {
  address: Uint8Array
  caller: Uint8Array
  value: bigint
  input: Uint8Array
  gasLimit: bigint
  isStatic: boolean
  isDelegate: boolean
  isCodeCall: boolean
}

/**
 * The state access of a running host precompile; all changes are rolled back with the frame. Access
 * does not warm addresses or slots. A write in a static call ends the frame (EIP-214).
 */
export type HostJournal = {
  balance: (address: Uint8Array) => bigint
  /** Whether an address has code that is not a delegation (EIP-7702), as of now in the transaction. */
  isContract: (address: Uint8Array) => boolean
  transfer: (from: Uint8Array, to: Uint8Array, wei: bigint) => boolean
  addBalance: (address: Uint8Array, wei: bigint) => void
  subBalance: (address: Uint8Array, wei: bigint) => boolean
  log: (log: EvmLog) => void
  slot: (address: Uint8Array, key: Uint8Array) => Uint8Array
  setSlot: (address: Uint8Array, key: Uint8Array, value: Uint8Array) => void
}

/**
 * The result of a host precompile. If it reverted, `output` holds the revert data. Using more than
 * the available gas ends as `outOfGas`.
 */
export type HostReturn = {
  status: 'success' | 'revert' | 'outOfGas'
  gasUsed: bigint
  output: Uint8Array
}

/**
 * Precompiles outside the engine. Their addresses are cold until touched. Pass the same `addresses`
 * array each time: the engine compares it by identity. `mark` returns the length of the caller's
 * undo log before a call. `cut` reverts the log to a length, because later entries belong to
 * reverted frames. A trace reverts it to its start. `begin` is told of each execution: a trace has
 * several.
 */
export type HostPrecompiles = {
  addresses: readonly Uint8Array[]
  begin?: () => void
  call: (call: HostCall, journal: HostJournal) => HostReturn
  mark: () => number
  cut: (length: number) => void
}

/**
 * A gas budget that executions share; each subtracts the gas it used. An execution that needs more
 * than is left throws `SliceOver`. Gas of Ethereum precompiles counts 20 times, because they take
 * that much longer than instructions of the same price.
 */
export type GasSlice = { left: bigint }

export type EvmOptions = {
  host?: HostPrecompiles
  slice?: GasSlice
  /** Called before every instruction; for console.log, coverage and debuggers. */
  onStep?: (step: EvmStep) => void
}

export type EvmStep = {
  pc: number
  opcode: number
  gas: bigint
  depth: number
  stack: readonly bigint[]
}

/**
 * A go-ethereum tracer with its options, all off by default. `limit` is the maximum size of struct
 * logs in bytes, 0 for unlimited. `script` is a JavaScript tracer; its setup function receives
 * `config`. `context` identifies the transaction in flat calls; absent members are written as on
 * the node.
 */
export type EvmTracer =
  | {
      name: 'structLogs'
      disableStack?: boolean
      disableStorage?: boolean
      enableMemory?: boolean
      enableReturnData?: boolean
      limit?: bigint
    }
  | { name: 'callTracer'; onlyTopCall?: boolean; withLog?: boolean }
  | {
      name: 'flatCallTracer'
      convertParityErrors?: boolean
      includePrecompiles?: boolean
      context?: EvmTraceContext
    }
  | {
      name: 'prestateTracer'
      diffMode?: boolean
      disableCode?: boolean
      disableStorage?: boolean
      includeEmpty?: boolean
    }
  | { name: '4byteTracer' }
  | { name: 'erc7562Tracer'; withLog?: boolean; ignoredOpcodes?: readonly number[] }
  | { name: 'noopTracer' }
  /**
   * `timeoutNanos` limits the run time, as `scripts/limits.ts` counts it; geth's default if absent.
   */
  | { name: 'script'; code: string; config: string; timeoutNanos?: bigint }
  | { name: 'muxTracer'; tracers: Readonly<Record<string, EvmTracer>> }

/** The place of a traced transaction; the block number is written as a JSON number. */
export type EvmTraceContext = {
  blockHash?: Uint8Array
  blockNumber?: bigint
  transactionHash?: Uint8Array
  transactionPosition?: number
}

/** The place of a traced transaction as passed to JavaScript tracers; a call has no transaction. */
export type EvmTracePlace = {
  blockHash: Uint8Array
  transaction: { hash: Uint8Array; index: number } | undefined
}

/**
 * Options of a trace. `gasUsed` returns the gas shown for the whole transaction (the chain's may
 * differ from the EVM's). `endsFailed: false` shows a failed transaction as Cosmos EVM does: its
 * tracer gets no end event. `write` receives the JSON in pieces, which are then not collected. A trace
 * of more than `bytesMost` bytes (default `traceMost`) that is collected throws `TraceTooLong`.
 */
export type EvmTraceOptions = EvmOptions & {
  gasUsed?: (result: EvmResult) => bigint
  endsFailed?: boolean
  place?: EvmTracePlace
  write?: (piece: Uint8Array) => void
  bytesMost?: number
}

/** A transaction's result and its trace as JSON text, empty if the transaction was refused or `write` got the trace. */
export type EvmTrace = { result: EvmResult; json: string }
