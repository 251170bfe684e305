/**
 * A node: a chain with its agenda, faults, subscriptions, filters, checkpoints and owed replies, as
 * one immutable value.
 */
import type { BlockRecord } from '../chain/block.ts'
import type { Chain } from '../chain/chain.ts'
import type { Agenda } from '../data/agenda.ts'
import type { FaultClient, FaultDecision, FaultState } from '../fault/rule.ts'
import type { Subscriptions } from '../feed/subscriptions.ts'
import type { Settings } from '../settings/settings.ts'
import type { Outcome } from '../chain/outcome.ts'
import type { Answer } from './answer.ts'
import type { FilterSpec, NodeCommand } from './command.ts'
import type { LongRead, LongReadEnd } from './longRead.ts'
import type { RequestInput, Stamp } from './input.ts'
import type { PushOutput, ReplyOutput } from './output.ts'
import type { NodeKey } from './world.ts'
import type { Side } from '../settings/side.ts'
import type { Holding } from '../fault/decidePush.ts'

export type Node = {
  readonly chain: Chain
  /** The chain at genesis, before its first block. `reset` returns to it. */
  readonly origin: Chain
  readonly settings: Settings
  /** The values that flags and files gave for settings that steps and clients may have changed since. */
  readonly given?: Partial<Settings>
  /**
   * Settings of the genesis that the scenario has since a reload, and the chain has not: validators
   * were changed in the running chain, other changes were left out. A restart compares with them.
   */
  readonly noted?: Partial<Settings>
  readonly nowMs: bigint
  readonly agenda: Agenda<Due>
  readonly faults: FaultState
  readonly subscriptions: Subscriptions
  readonly connections: ReadonlyMap<number, Connection>
  readonly filters: ReadonlyMap<string, Filter>
  readonly checkpoints: readonly Checkpoint[]
  readonly owed: readonly Owed[]
  /** Events that faults hold back, oldest first. */
  readonly held: readonly HeldEvents[]
  /** Increases with every change of pace; an interval block of another epoch is ignored. */
  readonly intervalEpoch: number
  /** The next interval block waits for a transaction (`create_empty_blocks`). */
  readonly idle: boolean
  /** Keys that clients added to the node, besides the keys of the world. */
  readonly keys?: readonly NodeKey[]
  /** The log says that too few validators sign; absent again when a job mines a block. */
  readonly lacksQuorum?: true
  /** Slices of mining jobs have one block, because a scenario changes each block. */
  readonly minesSingly?: true
  /** Jobs with blocks left to mine, oldest first. */
  readonly mining?: readonly MiningJob[]
  /** The last job that ended early because the chain halted, lost its quorum or was restored. */
  readonly cutShort?: MiningJob
  /** Batches of wallet calls whose id their client chose, oldest first. */
  readonly batches?: readonly CallBatch[]
  /** The times of the latest blocks, oldest first. */
  readonly made: readonly Made[]
  /** The next number of each kind of id. A restore does not reset it. */
  readonly counters: {
    readonly filter: number
    readonly subscription: number
    readonly checkpoint: number
    readonly perform: number
    readonly incident: number
    /** Absent until the first mining job of several slices. */
    readonly mining?: number
  }
}

/** The parts of a node that belong to connections, as they are without any. */
export const noConnections: Pick<Node, 'connections' | 'subscriptions' | 'owed' | 'held'> = {
  connections: new Map(),
  subscriptions: { comet: new Map(), eth: new Map() },
  owed: [],
  held: [],
}

/** A batch of wallet calls; `hashes` are those of its transactions. */
export type CallBatch = { readonly id: string; readonly hashes: readonly Uint8Array[] }

export type Connection = {
  readonly side: Side
  readonly remote: string
  readonly session?: string
  readonly client?: FaultClient
}

/** Blocks made at the same instant: those above `below`, up to `height`. */
export type Made = { readonly atMs: bigint; readonly below: bigint; readonly height: bigint }

/** An entry of the agenda. Entries of one instant run in the order they were added. */
export type Due =
  | { readonly type: 'command'; readonly command: NodeCommand }
  /**
   * The next block of interval mining; it is ignored if `epoch` is outdated. `decided` means that
   * the block is mined in any case. Otherwise only the pause is over, and the node may wait for a
   * transaction.
   */
  | { readonly type: 'interval'; readonly epoch: number; readonly decided: boolean }
  | { readonly type: 'deliver'; readonly output: ReplyOutput | PushOutput }
  | { readonly type: 'giveUp'; readonly seq: number }
  | { readonly type: 'endFault'; readonly name: string }
  | { readonly type: 'plan'; readonly step: number }

/** A polled filter; `seen` is the height (or arrival number) reported last. */
export type Filter = {
  readonly spec: FilterSpec
  readonly seen: bigint
  readonly polledAtMs: bigint
  /** Transaction hashes, for a filter of pending transactions. */
  readonly gathered: readonly Uint8Array[]
  /** Removed blocks whose matching logs the filter had reported; newest first. */
  readonly gone?: readonly BlockRecord[]
}

/** The values that `restore` brings back (design §3). */
export type Checkpoint = {
  readonly id: string
  readonly chain: Chain
  readonly filters: ReadonlyMap<string, Filter>
}

/**
 * An owed reply. It waits for a transaction, for mining, for a result of the shell, for its turn,
 * or for a deadline (`deadlineMs`). Then the same call is answered again.
 * `answers` are the answers to earlier calls of the request. `outcome` is the outcome of the call's
 * command, so no command runs twice. `decisions` are the fault decisions for these calls.
 */
export type Owed = {
  readonly stamp: Stamp
  readonly request: RequestInput
  readonly answers: readonly Answer[]
  readonly decisions: readonly FaultDecision[]
  readonly outcome: Outcome | undefined
  readonly wait: Wait
  readonly deadlineMs: bigint | undefined
  /** The request lets others run first; its next call has not started. */
  readonly isPaused?: true
  /** For a read that has left the core. */
  readonly read?: OwedRead
}

/**
 * A read that runs elsewhere: the node it reads, its next execution, and the results of earlier
 * executions. A saved node keeps only the results, because its clients are gone.
 */
export type OwedRead = {
  readonly seen?: Node
  readonly job?: LongRead
  readonly ends: readonly LongReadEnd[]
}

export type Wait =
  | { readonly for: 'tx'; readonly hash: Uint8Array }
  | { readonly for: 'ethTx'; readonly hash: Uint8Array }
  | { readonly for: 'mining'; readonly id: number }
  | { readonly for: 'performed'; readonly id: number }
  /** The previous call on the same connection. Some connections answer one message at a time. */
  | { readonly for: 'turn' }

/** Blocks left to mine for one caller. */
export type MiningJob = {
  readonly id: number
  readonly asked: number
  readonly left: number
  /** Block time between two blocks, in milliseconds. */
  readonly gapMs: bigint | undefined
  /** Simulation time of the request. */
  readonly atMs: bigint
  /** Heights mined so far. Other blocks mined in between start a new range. */
  readonly mined: readonly HeightRange[]
}

export type HeightRange = { readonly from: bigint; readonly to: bigint }

/** Events of one subscription that a rule holds back. */
export type HeldEvents = {
  readonly rule: string
  readonly connection: number
  readonly id: string
  readonly how: Holding
  readonly texts: readonly HeldText[]
}

/** `dueAt` is the height at which a lagging node learns of the event. */
export type HeldText = { readonly text: string; readonly dueAt?: bigint }
