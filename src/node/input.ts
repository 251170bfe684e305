/**
 * Anything that enters. The shell's queue stamps `seq` (1, 2, 3, …) and `timeMs` (simulation time,
 * milliseconds since start, never backwards); a recording is a list of these.
 */
import type { Fact } from '../app/forked.ts'
import type { ChainEvent } from '../chain/event.ts'
import type { FaultClient, FaultRule } from '../fault/rule.ts'
import type { Answer } from './answer.ts'
import type { NodeCommand } from './command.ts'
import type { Action } from './planAction.ts'
import type { Plan } from './plan.ts'
import type { Side } from '../settings/side.ts'

export type Stamp = { readonly seq: number; readonly timeMs: bigint; readonly session: string }

export type Input = Stamp & InputBody

export type InputBody =
  | RequestInput
  /** Time has passed: what is due is carried out. */
  | { readonly kind: 'tick' }
  | {
      readonly kind: 'connected'
      readonly connection: number
      readonly side: Side
      readonly remote: string
      readonly client?: FaultClient
    }
  | { readonly kind: 'disconnected'; readonly connection: number }
  /** A WebSocket is asked for while faults may refuse it: the reply says whether it is let in. */
  | { readonly kind: 'handshake'; readonly side: Side; readonly client: FaultClient }
  /** A command by CLI, dashboard, scenario file or reload; `by` says which, for the journal. */
  | { readonly kind: 'operator'; readonly by: string; readonly command: OperatorCommand }
  /** The answer to a `perform` output. */
  | { readonly kind: 'performed'; readonly id: number; readonly result: Performed }
  /** What the chain that this one goes on from was asked. */
  | { readonly kind: 'learned'; readonly facts: readonly Fact[] }
  /**
   * Events of a chain that is simulated elsewhere, for the clients that are simulated here, and
   * faults that were set there. Only members of a fleet enter it, and never into a log.
   */
  | { readonly kind: 'happened'; readonly events: readonly ChainEvent[]; readonly rules: readonly FaultRule[] }

/** A node's command, or one that only the simulation around it understands. */
export type OperatorCommand =
  | NodeCommand
  /** A scenario was saved while it runs: it takes effect with what it changes, or not at all. */
  | { readonly type: 'loadPlan'; readonly plan: Plan; readonly actions?: readonly Action[] }
  | { readonly type: 'signal'; readonly name: string }
  /** A run is over before its last step; `why` as in 'time was over'. */
  | { readonly type: 'endPlan'; readonly why: string }

/**
 * `target` is path and query as sent; `body` is the text as sent ('' for none), unless it is no
 * text: then `bytes` has it. `headers` are those of REST and gRPC that say how to answer, by
 * lower-case name. `connection` is set
 * over WebSocket, `port` tells 8545 from 8546. `origin` is the Origin header, `trusted` whether
 * that origin may use methods that change the world (design §8).
 */
export type RequestInput = {
  readonly kind: 'request'
  readonly side: Side
  readonly transport: 'http' | 'ws'
  readonly verb: string
  readonly target: string
  readonly contentType: string
  readonly host: string
  readonly origin: string | undefined
  readonly trusted: boolean
  readonly connection: number | undefined
  readonly body: string
  readonly bytes?: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  /** Who asks, as far as faults that are on may want to know it. */
  readonly client?: FaultClient
  /** The answer must not wait: long work is done at once. */
  readonly atOnce?: boolean
  /** Answers that a recording has for its calls, in order; a call without one is carried out. */
  /** The height that a playback stands at, in place of the chain's. */
  readonly head?: bigint
  readonly recorded?: readonly (Answer | undefined)[]
}

export type Performed = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly error: string }
