/** A call on its way through the rules that are on. */
import type { Call } from './transport.ts'
import type { Caller, Context } from './method.ts'
import type { Dialect } from './dialect.ts'
import type { FaultClient, FaultDecision } from '../fault/rule.ts'
import type { Node, OwedRead } from '../node/node.ts'
import type { Outcome } from '../chain/outcome.ts'
import type { World } from '../node/world.ts'
import type { Answer } from '../node/answer.ts'

/** A call and where it runs. `resumed` is there when it has waited: its command is not repeated. */
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
  /** Gas that the reads of the input have used so far; grows as they run. */
  readonly meter?: GasMeter
  /** What a recording answers in the method's place. */
  readonly recorded?: Answer | undefined
}

export type GasMeter = { used: bigint }

export type Resumed = {
  readonly outcome: Outcome | undefined
  readonly woken: NonNullable<Context['woken']>
  readonly decision: FaultDecision
  /** Of a read that had left: what it sees and how its executions ended. */
  readonly read?: OwedRead
}
