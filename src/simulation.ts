/**
 * The whole of chainstage as one function of one value. Everything outside `shell/` happens here:
 * nothing is awaited, nothing is read but the input, and the same inputs give the same outputs.
 */
import type { Node } from './node/node.ts'
import type { Plan } from './node/plan.ts'

/** A node, the scenario it follows and how far that is, and what was seen. */
export type Simulation = {
  readonly node: Node
  readonly plan: Plan
  readonly progress: Progress
  readonly journal: Journal
}

/**
 * Where the scenario stands: `step` is the one being waited for, `sinceMs` and `sinceHeight` where the
 * one before ended. `pending` is a reloaded plan that waits for the block boundary.
 */
export type Progress = {
  readonly step: number
  readonly sinceMs: bigint
  readonly sinceHeight: bigint
  readonly state: 'running' | 'passed' | 'failed'
  readonly failures: readonly Failure[]
  readonly generation: number
  readonly pending: Plan | undefined
}

export type Failure = { readonly step: string; readonly text: string; readonly source: string }

/** What clients did: counts by method for expectations, and the last calls for people. */
export type Journal = {
  readonly counts: ReadonlyMap<string, number>
  readonly recent: readonly CallRecord[]
  readonly dropped: number
}

export type CallRecord = {
  readonly seq: number
  readonly timeMs: bigint
  readonly side: 'comet' | 'eth'
  readonly transport: 'uri' | 'post' | 'ws'
  readonly method: string
  readonly outcome: 'ok' | 'error' | 'fault'
  readonly faults: readonly string[]
  readonly delayMs: bigint
}
