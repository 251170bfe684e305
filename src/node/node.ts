/**
 * A chain and what surrounds it, as one immutable value: the agenda, faults, subscriptions,
 * filters, checkpoints and the replies still owed.
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
import type { LongRead } from './longRead.ts'
import type { RequestInput, Stamp } from './input.ts'
import type { PushOutput, ReplyOutput } from './output.ts'
import type { NodeKey } from './world.ts'
import type { Side } from '../settings/side.ts'
import type { Holding } from '../fault/decidePush.ts'

export type Node = {
  readonly chain: Chain
  /** The chain of the genesis, before its first block: what `reset` goes back to. */
  readonly origin: Chain
  readonly settings: Settings
  readonly nowMs: bigint
  readonly agenda: Agenda<Due>
  readonly faults: FaultState
  readonly subscriptions: Subscriptions
  readonly connections: ReadonlyMap<number, Connection>
  readonly filters: ReadonlyMap<string, Filter>
  readonly checkpoints: readonly Checkpoint[]
  readonly owed: readonly Owed[]
  /** Events that faults keep back, oldest first. */
  readonly held: readonly Held[]
  /** Grows with every change of pace: an interval block of another epoch is void. */
  readonly intervalEpoch: number
  /** The next interval block waits for a transaction (`create_empty_blocks`). */
  readonly idle: boolean
  /** Keys that clients gave the node, beside those of the world. */
  readonly keys?: readonly NodeKey[]
  /** Blocks that are still to be mined, the oldest job first. */
  readonly mining?: readonly MiningJob[]
  /** When the last blocks were made, oldest first. */
  readonly made: readonly Made[]
  /** Next number of each kind of id; none goes back on a restore. */
  readonly counters: {
    readonly filter: number
    readonly subscription: number
    readonly checkpoint: number
    readonly perform: number
    readonly incident: number
    /** Absent until a job of many blocks is done. */
    readonly mining?: number
  }
}

export type Connection = {
  readonly side: Side
  readonly remote: string
  readonly session?: string
  readonly client?: FaultClient
}

/** Blocks of one moment: those above `below`, up to `height`. */
export type Made = { readonly atMs: bigint; readonly below: bigint; readonly height: bigint }

/** What the agenda holds. At one instant: in the order it was put there. */
export type Due =
  | { readonly type: 'command'; readonly command: NodeCommand }
  /**
   * The next block of interval mining; a changed policy makes an old one void by its number. Where
   * it is not `decided`, the pause is over and a block comes only if nothing is to be waited for.
   */
  | { readonly type: 'interval'; readonly epoch: number; readonly decided: boolean }
  | { readonly type: 'deliver'; readonly output: ReplyOutput | PushOutput }
  | { readonly type: 'giveUp'; readonly seq: number }
  | { readonly type: 'endFault'; readonly name: string }
  | { readonly type: 'plan'; readonly step: number }

/** A polled filter; `seen` is the height (or arrival number) it has reported up to. */
export type Filter = {
  readonly spec: FilterSpec
  readonly seen: bigint
  readonly polledAtMs: bigint
  /** Hashes of transactions, for a filter of pending ones. */
  readonly gathered: readonly Uint8Array[]
  /** Blocks that it has seen, that hold logs it wants, and that are gone; newest first. */
  readonly gone?: readonly BlockRecord[]
}

/** What `restore` brings back (design §3). */
export type Checkpoint = {
  readonly id: string
  readonly chain: Chain
  readonly filters: ReadonlyMap<string, Filter>
}

/**
 * A reply that waits: for a transaction to be in a block, for blocks to be mined, for a result of
 * the shell, for its turn, or for time to pass (`deadlineMs`). When any of it comes, the request's
 * call is answered again with what happened. `answers` are those of the calls before it, `outcome`
 * what its own command came to: no command is carried out twice. `decisions` are what faults do to
 * these calls.
 */
export type Owed = {
  readonly stamp: Stamp
  readonly request: RequestInput
  readonly answers: readonly Answer[]
  readonly decisions: readonly FaultDecision[]
  readonly outcome: Outcome | undefined
  readonly wait: Wait
  readonly deadlineMs: bigint | undefined
  /** Only other requests have their turn: its next call has not begun. */
  readonly isPaused?: true
  /** Of a read that has left the core. */
  readonly read?: OwedRead
}

/**
 * A read that runs elsewhere: the node that it sees, its next execution, and how those before it
 * ended. A saved node keeps only the ends, because nobody waits for the answer then.
 */
export type OwedRead = {
  readonly seen?: Node
  readonly job?: LongRead
  readonly ends: readonly string[]
}

export type Wait =
  | { readonly for: 'tx'; readonly hash: Uint8Array }
  | { readonly for: 'ethTx'; readonly hash: Uint8Array }
  | { readonly for: 'mining'; readonly id: number }
  | { readonly for: 'performed'; readonly id: number }
  /** The call before it on the same connection: some connections answer one message at a time. */
  | { readonly for: 'turn' }

/** Blocks that are still to be mined for one caller. */
export type MiningJob = {
  readonly id: number
  readonly asked: number
  readonly left: number
  /** Block time from one block to the next, in milliseconds. */
  readonly gapMs: bigint | undefined
  /** Simulation time of the request. */
  readonly atMs: bigint
  /** Heights mined so far: a new range wherever somebody else mined in between. */
  readonly mined: readonly HeightRange[]
}

export type HeightRange = { readonly from: bigint; readonly to: bigint }

/** Events of one subscription that a rule keeps back. */
export type Held = {
  readonly rule: string
  readonly connection: number
  readonly id: string
  readonly how: Holding
  readonly texts: readonly HeldText[]
}

/** `dueAt` is the height at which a node that is behind knows of it. */
export type HeldText = { readonly text: string; readonly dueAt?: bigint }
