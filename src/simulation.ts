/**
 * The whole of chainstage as one function of one value. Everything outside `shell/` happens here:
 * nothing is awaited, nothing is read but the input, and the same inputs give the same outputs.
 */
import type { Node } from './node/node.ts'
import type { Plan } from './node/plan.ts'
import type { CallRecord } from './rpc/callRecord.ts'
import type { Progress } from './scenario/progress.ts'

/** A node, the scenario it follows and how far that is, and what was seen. */
export type Simulation = {
  readonly node: Node
  readonly plan: Plan
  readonly progress: Progress
  readonly journal: Journal
}

/** What clients did: counts by method for expectations, and the last calls for people. */
export type Journal = {
  readonly counts: ReadonlyMap<string, number>
  readonly recent: readonly CallRecord[]
  readonly dropped: number
}
