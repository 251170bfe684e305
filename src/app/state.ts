/**
 * The state of an application as one immutable value. Every height keeps its own state, so an old
 * one serves as a checkpoint (design §3).
 */
import type { PersistentMap } from '../data/persistentMap.ts'
import type { Tree } from '../data/tree.ts'
import type { Forked } from './forked.ts'

/** Committed trees by store name (`acc`, `bank`, `evm`, …), as named on the real chain. */
export type MultiStore = ReadonlyMap<string, Tree>

/** Changes not yet in a tree, by `overlayKey(store, key)`; `null` deletes. */
export type Overlay = PersistentMap<Uint8Array | null>

/**
 * `committed` is the state for proofs and explicit heights of the Cosmos interfaces. `edits` are operator
 * changes, visible at `latest` immediately and folded in first by the next block. `check` is the CheckTx state above
 * both, discarded by the next commit. `pending` is the result of FinalizeBlock that Commit adopts.
 */
export type AppState = {
  readonly height: bigint
  readonly committed: MultiStore
  readonly appHash: Uint8Array
  readonly edits: Overlay
  readonly check: Overlay
  /** The edits that the last block folded in, needed to execute it again. */
  readonly folded?: Overlay
  readonly pending:
    | {
        readonly stores: MultiStore
        readonly appHash: Uint8Array
        readonly height: bigint
        readonly gone?: Overlay
      }
    | undefined
  /** Accounts that may send without a signature. Set by an operator; not part of the app hash. */
  readonly impersonated: { readonly isAll: boolean; readonly addresses: ReadonlySet<string> }
  /**
   * Block values that the EVM sees in the next blocks. Set by an operator; not part of the app
   * hash.
   */
  readonly evmBlock?: EvmBlock
  /** Values that live within or between blocks and are not part of the app hash. */
  readonly transient: TransientState
  /** On a forked chain: the known state of the other chain, below the trees. */
  readonly forked?: Forked
  /** Keys deleted from that state. */
  readonly gone?: Overlay
}

/**
 * Values of the last block. `gasWanted` and `gasUsed` determine the next base fee; CheckTx and
 * calls on `latest` run with `header`.
 */
export type TransientState = {
  readonly gasWanted: bigint
  readonly gasUsed: bigint
  readonly baseFee: bigint
  readonly header: BlockContext
}

/** Replacements for the proposer's operator (COINBASE) and for the constant PREVRANDAO. */
export type EvmBlock = { readonly coinbase?: Uint8Array; readonly prevRandao?: Uint8Array }

/** The block in which code runs. `time` is in seconds and nanoseconds since 1970. */
export type BlockContext = {
  readonly height: bigint
  readonly timeSeconds: bigint
  readonly timeNanos: number
  readonly chainId: string
  readonly proposerAddress: Uint8Array
  readonly hash: Uint8Array
  readonly evm?: EvmBlock
}
