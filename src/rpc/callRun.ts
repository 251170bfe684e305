/** The state of one call while it is answered. */
import type { Call } from './transport.ts'
import type { Caller, Context } from './method.ts'
import type { Dialect } from './dialect.ts'
import type { FaultClient, FaultDecision } from '../fault/rule.ts'
import type { Node, OwedRead } from '../node/node.ts'
import type { Outcome } from '../chain/outcome.ts'
import type { World } from '../node/world.ts'
import type { Answer, OtherPart } from '../node/answer.ts'

/**
 * A call and the node it runs on. `resumed` is set if the call has waited; its command is then not
 * repeated.
 */
export type CallRun = {
  readonly world: World
  readonly node: Node
  readonly dialect: Dialect
  readonly caller: Caller
  readonly call: Call
  readonly session: string
  readonly isBatch: boolean
  readonly client: FaultClient | undefined
  readonly resumed: Resumed | undefined
  /** Gas used so far by the reads of the same input; grows as they run. */
  readonly meter?: GasMeter
  /** The recorded answer that replaces the method's own, or the other chain's part of it. */
  readonly recorded?: Answer | OtherPart | undefined
}

export type GasMeter = { used: bigint }

export type Resumed = {
  readonly outcome: Outcome | undefined
  readonly woken: NonNullable<Context['woken']>
  readonly decision: FaultDecision
  /** For a read that left the core: the node it sees and the results of its executions. */
  readonly read?: OwedRead
}
