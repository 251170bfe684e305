/**
 * The state of an application as one immutable value: holding an old one is a checkpoint, and every
 * height keeps its own (design §3).
 */
import type { PersistentMap } from '../data/persistentMap.ts'
import type { Tree } from '../data/tree.ts'
import type { Forked } from './forked.ts'

/** Committed trees by store name (`acc`, `bank`, `evm`, …: the real chain's names). */
export type MultiStore = ReadonlyMap<string, Tree>

/** Changes not yet in a tree, by `overlayKey(store, key)`; `null` deletes. */
export type Overlay = PersistentMap<Uint8Array | null>

/**
 * `committed` is what proofs and explicit heights see. `edits` are operator changes that `latest`
 * sees at once and the next block folds in first. `check` is the CheckTx state above both,
 * forgotten by the next commit. `pending` is what FinalizeBlock produced and Commit will adopt.
 */
export type AppState = {
  readonly height: bigint
  readonly committed: MultiStore
  readonly appHash: Uint8Array
  readonly edits: Overlay
  readonly check: Overlay
  /** The edits that the last block folded in: who runs it again needs them. */
  readonly folded?: Overlay
  readonly pending:
    | {
        readonly stores: MultiStore
        readonly appHash: Uint8Array
        readonly height: bigint
        readonly gone?: Overlay
      }
    | undefined
  /** Accounts that may send without a signature: an operator's choice, no part of the app hash. */
  readonly impersonated: { readonly isAll: boolean; readonly addresses: ReadonlySet<string> }
  /** What the EVM of the next blocks is to see: an operator's choice, no part of the app hash. */
  readonly evmBlock?: EvmBlock
  /** Numbers that live for a block or between blocks and are no part of the app hash. */
  readonly transient: TransientState
  /**
   * Of a chain that goes on from another one: what that one's state is known to be, below the
   * trees.
   */
  readonly forked?: Forked
  /** What was deleted of it. */
  readonly gone?: Overlay
}

/**
 * Of the last block: `gasWanted` and `gasUsed` feed the next base fee, `header` is what CheckTx and
 * calls on `latest` run in.
 */
export type TransientState = {
  readonly gasWanted: bigint
  readonly gasUsed: bigint
  readonly baseFee: bigint
  readonly header: BlockContext
}

/** What takes the place of the proposer's operator (COINBASE) and of the constant PREVRANDAO. */
export type EvmBlock = { readonly coinbase?: Uint8Array; readonly prevRandao?: Uint8Array }

/** The block that code runs in. `time` in seconds and nanoseconds since 1970. */
export type BlockContext = {
  readonly height: bigint
  readonly timeSeconds: bigint
  readonly timeNanos: number
  readonly chainId: string
  readonly proposerAddress: Uint8Array
  readonly hash: Uint8Array
  readonly evm?: EvmBlock
}
