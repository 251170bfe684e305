/**
 * The ledger as one immutable value: committed blocks, application state, waiting transactions and
 * block time. Holding an old one is a checkpoint.
 */
import type { ConsensusParams, ValidatorUpdate } from '../app/abci.ts'
import type { Application } from '../app/application.ts'
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
 * `height` 0 is legal: a chain before its first block, whose `app` is the state after InitChain.
 * `validators` of height+1, `nextValidators` of height+2; `down` are validators that do not sign.
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
  /** The application's version in the next header. */
  readonly appVersion: bigint
  readonly lastBlockId: BlockId
  readonly lastBlockTime: Time
  readonly lastResultsHash: Uint8Array
  readonly lastCommit: Commit | undefined
  readonly evidence: readonly Evidence[]
  /** Ids in hex of the evidence in blocks, pruned ones too. */
  readonly committedEvidence: PersistentMap<true>
  readonly down: ReadonlySet<string>
  readonly clock: ChainClock
  readonly policy: BlockPolicy
  /** How many rounds of the next block fail whoever is up; their time passes before it. */
  readonly roundsToFail?: number
  /** What a tester holds back when it comes. */
  readonly holds?: readonly HoldRule[]
}

/**
 * Where block time comes from: `logical` is genesis time plus `blockTimeMs` a block, `wall` is
 * `startMs` (milliseconds since 1970 at simulation time 0) plus simulation time. `offsetMs` is what
 * time controls added; `next` overrides one block. `step` replaces `blockTimeMs` from some block
 * on; its `shiftMs` keeps the blocks before where they were.
 */
export type ChainClock = {
  readonly source: 'logical' | 'wall'
  readonly blockTimeMs: bigint
  readonly startMs: bigint
  readonly offsetMs: bigint
  readonly next: Time | undefined
  readonly step: { readonly ms: bigint; readonly shiftMs: bigint } | undefined
}

/** The genesis document, parsed; `document` is its text as served by `genesis`. */
export type Genesis = {
  readonly document: string
  readonly time: Time
  readonly chainId: string
  readonly initialHeight: bigint
  readonly consensusParams: ConsensusParams
  readonly validators: readonly ValidatorUpdate[]
  readonly appState: unknown
  /** The seed validator keys are derived from (label `validator`). */
  readonly seed: Uint8Array
  /** The block of another chain that this one goes on from. */
  readonly fork?: { readonly height: bigint; readonly hash: Uint8Array }
}

/** What a step needs that never changes while the chain lives. */
export type ChainWorld = {
  readonly app: Application
  /** Absent for an application without an EVM (kvstore). */
  readonly ethereum: EthereumView | undefined
  readonly signers: Signers
  readonly limits: MempoolLimits
  readonly retention: Retention
}

/** Signs precommits for every validator whose key we hold, by consensus address in hex. */
export type Signers = {
  readonly sign: (address: Uint8Array, message: Uint8Array) => Uint8Array | undefined
}

/**
 * The result of a step. `then` are commands for the agenda, due now and in order: a step never
 * carries out another one itself.
 */
export type Step = {
  readonly chain: Chain
  readonly outcome: Outcome
  readonly events: readonly ChainEvent[]
  readonly then: readonly ChainCommand[]
}
