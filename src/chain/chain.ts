/**
 * The ledger as one immutable value: committed blocks, application state, mempool and block time. A
 * reference to an old value is a checkpoint.
 */
import type { ConsensusParams } from '../app/abci.ts'
import type { Application, InitChainRequest } from '../app/application.ts'
import type { EthereumView } from '../app/ethereumView.ts'
import type { AppState } from '../app/state.ts'
import type { PersistentMap } from '../data/persistentMap.ts'
import type { Time } from '../data/time.ts'
import type { Commit, BlockId, Evidence, ValidatorSet } from './block.ts'
import type { BlockPolicy, ChainCommand, HoldRule } from './command.ts'
import type { ChainEvent } from './event.ts'
import type { Retention } from './history.ts'
import type { Mempool, MempoolLimits } from './mempool.ts'
import type { Outcome } from './outcome.ts'
import type { History } from './indexing.ts'

/**
 * A chain at `height` 0 has no block yet; its `app` is the state after InitChain. `validators` is
 * the set of height+1, `nextValidators` of height+2. `down` holds the validators that do not sign.
 */
export type Chain = {
  readonly genesis: Genesis
  readonly height: bigint
  readonly app: AppState
  readonly history: History
  readonly mempool: Mempool
  readonly validators: ValidatorSet
  readonly nextValidators: ValidatorSet
  readonly lastValidators: ValidatorSet
  readonly consensusParams: ConsensusParams
  /** The application version in the next header. */
  readonly appVersion: bigint
  readonly lastBlockId: BlockId
  readonly lastBlockTime: Time
  readonly lastResultsHash: Uint8Array
  readonly lastCommit: Commit | undefined
  readonly evidence: readonly Evidence[]
  /** Hex ids of the evidence in all blocks, including pruned ones. */
  readonly committedEvidence: PersistentMap<true>
  readonly down: ReadonlySet<string>
  readonly clock: ChainClock
  readonly policy: BlockPolicy
  /**
   * The number of rounds of the next block that fail even if their proposers are up; their time
   * passes before the block.
   */
  readonly roundsToFail?: number
  /** The rules for transactions that are held on arrival. */
  readonly holds?: readonly HoldRule[]
}

/**
 * The source of block time. `logical`: genesis time plus `blockTimeMs` per block. `wall`: `startMs`
 * (milliseconds since 1970 at simulation time 0) plus simulation time. `offsetMs` is the sum of all
 * time shifts; `next` overrides the time of one block. `step` replaces `blockTimeMs` from a certain
 * block on; its `shiftMs` keeps earlier blocks' times unchanged.
 */
export type ChainClock = {
  readonly source: 'logical' | 'wall'
  readonly blockTimeMs: bigint
  readonly startMs: bigint
  readonly offsetMs: bigint
  readonly next: Time | undefined
  readonly step: { readonly ms: bigint; readonly shiftMs: bigint } | undefined
}

/** The parsed genesis document; `document` is its text as returned by `genesis`. */
export type Genesis = Omit<InitChainRequest, 'isForked'> & {
  readonly document: string
  /** The seed of the validator keys (label `validator`). */
  readonly seed: Uint8Array
  /** The block of the forked chain that this chain continues from. */
  readonly fork?: { readonly height: bigint; readonly id: BlockId }
}

/** The constants of a chain that `step` needs. */
export type ChainWorld = {
  readonly app: Application
  /** Absent for an application without an EVM (kvstore). */
  readonly ethereum: EthereumView | undefined
  readonly signers: Signers
  readonly limits: MempoolLimits
  readonly retention: Retention
}

/**
 * Signs precommits for the validators whose keys we hold, by consensus address; undefined for
 * others.
 */
export type Signers = {
  readonly sign: (address: Uint8Array, message: Uint8Array) => Uint8Array | undefined
}

/**
 * The result of a step. `then` holds commands for the agenda, due now and in order: a step never
 * executes another command itself.
 */
export type ChainStep = {
  readonly chain: Chain
  readonly outcome: Outcome
  readonly events: readonly ChainEvent[]
  readonly then: readonly ChainCommand[]
}
