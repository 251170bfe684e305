/**
 * The shapes at the EVM's one door. Addresses are 20 bytes, hashes and storage words 32 bytes,
 * amounts are wei. Nothing here knows of blocks, modules or JSON.
 */

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

/** An account as the EVM sees it; `codeHash` is keccak256 of the code, also when there is none. */
export type EvmAccount = { balance: bigint; nonce: bigint; codeHash: Uint8Array }

/**
 * Where execution reads the state before the transaction. A read may throw; nothing is kept then.
 */
export type EvmRead = {
  account: (address: Uint8Array) => EvmAccount | undefined
  slot: (address: Uint8Array, key: Uint8Array) => Uint8Array | undefined
  code: (codeHash: Uint8Array) => Uint8Array
  blockHash: (height: bigint) => Uint8Array | undefined
}

/** What surrounds a transaction. `relax` switches single checks off (calls, impersonation). */
export type EvmEnv = {
  fork: Fork
  chainId: bigint
  height: bigint
  timestampSeconds: bigint
  coinbase: Uint8Array
  prevRandao: Uint8Array
  blockGasLimit: bigint
  baseFee: bigint
  /** Where there is none, BLOBBASEFEE makes the transaction `refused` as `NilPointer`. */
  blobBaseFee: bigint | undefined
  relax: EvmRelax
  memoryLimitBytes: number
  /**
   * Precompiles of Ethereum that answer at another address, or nowhere; where they were, there is
   * an account.
   */
  movedPrecompiles?: readonly { from: Uint8Array; to: Uint8Array | undefined }[]
}

/**
 * Checks that are off. `fees`: nobody is charged and the coinbase is not paid (the Cosmos ante
 * chain has done both), while GASPRICE still shows the price of the transaction. `nonceBump`: a
 * call leaves the sender's nonce alone, as Cosmos EVM's does, where the ante chain raises it; a
 * creation raises it. `blockGasLimit`: the message is no transaction, so its init code may have any
 * size too.
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

/** A transaction to run. `to` is absent for a creation; prices in wei per gas. */
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
 * An EIP-7702 tuple whose signature the caller has recovered; no `authority` when it was invalid.
 */
export type EvmAuthorization = {
  chainId: bigint
  address: Uint8Array
  nonce: bigint
  authority: Uint8Array | undefined
}

/**
 * `gasPeak` is what was executed, of which `refund` comes back; `gasUsed` is their difference, but
 * never below the floor of EIP-7623.
 * `reason` names a halt or a refusal.
 */
export type EvmResult = {
  status: 'success' | 'revert' | 'halt' | 'refused'
  reason: EvmReason | undefined
  gasUsed: bigint
  gasPeak: bigint
  refund: bigint
  output: Uint8Array
  created: Uint8Array | undefined
  logs: readonly EvmLog[]
  diff: EvmDiff
}

/**
 * `kind` is stable (`OutOfGas`, `StackUnderflow`, `NonceTooLow`, …). `detail` of a halt is the text
 * of go-ethereum's error (`invalid jump destination`), that of a refusal is for people.
 */
export type EvmReason = { kind: string; detail: string }

export type EvmLog = { address: Uint8Array; topics: readonly Uint8Array[]; data: Uint8Array }

/** Accounts that changed, by address; slots by key: the order is part of the contract. */
export type EvmDiff = readonly EvmAccountDiff[]

/**
 * `destroyed` accounts are gone with their storage; `created` ones were made by a creation and
 * begin without storage; `code` is there when it is new.
 */
export type EvmAccountDiff = {
  address: Uint8Array
  created: boolean
  destroyed: boolean
  balance: bigint
  nonce: bigint
  codeHash: Uint8Array
  code: Uint8Array | undefined
  slots: readonly { key: Uint8Array; value: Uint8Array }[]
}

/**
 * A call that reached the address of a host precompile. In a delegate call (CALLCODE too) `caller`
 * is the sender that the calling contract sees or is.
 */
export type HostCall = {
  address: Uint8Array
  caller: Uint8Array
  value: bigint
  input: Uint8Array
  gasLimit: bigint
  isStatic: boolean
  isDelegate: boolean
}

/**
 * What a host precompile may touch while it runs: all of it rolls back with the frame. Nothing here
 * changes which addresses and slots are warm. Writing in a static call ends the frame as EIP-214
 * says.
 */
export type HostJournal = {
  balance: (address: Uint8Array) => bigint
  transfer: (from: Uint8Array, to: Uint8Array, wei: bigint) => boolean
  addBalance: (address: Uint8Array, wei: bigint) => void
  subBalance: (address: Uint8Array, wei: bigint) => boolean
  log: (log: EvmLog) => void
  slot: (address: Uint8Array, key: Uint8Array) => Uint8Array
  setSlot: (address: Uint8Array, key: Uint8Array, value: Uint8Array) => void
}

/**
 * How a host precompile ended: `output` holds revert data when it reverted. Using more gas than was
 * given ends as `outOfGas`.
 */
export type HostReturn = {
  status: 'success' | 'revert' | 'outOfGas'
  gasUsed: bigint
  output: Uint8Array
}

/**
 * Precompiles that live outside the engine. Their addresses are cold until touched. Give the same
 * `addresses` array each time: the engine knows it by identity. `mark` gives the length of the
 * caller's undo log before a call; `cut` takes the log back to a length whose later entries belong
 * to reverted frames. A trace cuts it back to where it began.
 */
export type HostPrecompiles = {
  addresses: readonly Uint8Array[]
  call: (call: HostCall, journal: HostJournal) => HostReturn
  mark: () => number
  cut: (length: number) => void
}

/**
 * Gas that executions may use in one go; each takes off what it used. An execution that needs more
 * than is left is given up with `SliceOver`. What precompiles of Ethereum use counts 20 times,
 * because they take that much longer than instructions of the same price.
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
 * A tracer of go-ethereum with its options, absent ones off. `limit` is bytes of struct logs, 0 for
 * all. `script` is a tracer in JavaScript, and `config` the text that its setup gets. `context`
 * names the transaction in flat calls; what it lacks is written as the node does.
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
  /** `timeoutNanos` is how long it may run by the clock of `scripts/limits.ts`; absent, as long as geth lets it. */
  | { name: 'script'; code: string; config: string; timeoutNanos?: bigint }
  | { name: 'muxTracer'; tracers: Readonly<Record<string, EvmTracer>> }

/** Where a traced transaction stands; the block number is a JSON number. */
export type EvmTraceContext = {
  blockHash?: Uint8Array
  blockNumber?: bigint
  transactionHash?: Uint8Array
  transactionPosition?: number
}

/** Where a traced transaction stands, as tracers in JavaScript see it; a call has no transaction. */
export type EvmTracePlace = {
  blockHash: Uint8Array
  transaction: { hash: Uint8Array; index: number } | undefined
}

/**
 * `gasUsed` returns the gas that the trace shows for the whole transaction (the chain's may differ
 * from the EVM's). `endsFailed: false` shows a failed transaction as Cosmos EVM does, which gives
 * its tracer no end of it. `write` takes the JSON in pieces, which are then not collected.
 */
export type EvmTraceOptions = EvmOptions & {
  gasUsed?: (result: EvmResult) => bigint
  endsFailed?: boolean
  place?: EvmTracePlace
  write?: (piece: Uint8Array) => void
}

/**
 * What the transaction did, and its trace as JSON text: empty when refused or written in pieces.
 */
export type EvmTrace = { result: EvmResult; json: string }
