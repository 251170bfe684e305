/**
 * The inputs of a node. The shell's queue stamps `seq` (1, 2, 3, …) and `timeMs` (simulation time,
 * in milliseconds since start, never backwards).
 */
import type { Fact } from '../app/forked.ts'
import type { ChainEvent } from '../chain/event.ts'
import type { FaultClient, FaultRule } from '../fault/rule.ts'
import type { Answer, OtherPart } from './answer.ts'
import type { Side } from '../settings/side.ts'

export type Stamp = { readonly seq: number; readonly timeMs: bigint; readonly session: string }

export type NodeInput =
  | RequestInput
  /**
   * Time has passed: runs everything that is due. `leaptMs` is by how much the machine's clock has gone
   * ahead of simulation time since the last such input; wall time in blocks leaps with it.
   */
  | { readonly kind: 'tick'; readonly leaptMs?: number }
  | {
      readonly kind: 'connected'
      readonly connection: number
      readonly side: Side
      readonly remote: string
      readonly client?: FaultClient
    }
  | { readonly kind: 'disconnected'; readonly connection: number }
  /** A WebSocket handshake while faults may refuse it; the reply tells whether it is accepted. */
  | { readonly kind: 'handshake'; readonly side: Side; readonly client: FaultClient }
  /** The result of a `perform` output. */
  | { readonly kind: 'performed'; readonly id: number; readonly result: Performed }
  /** State of the forked chain, fetched by the shell. */
  | { readonly kind: 'learned'; readonly facts: readonly Fact[] }
  /**
   * Events of a chain that another process simulates, for clients of this process, and fault rules
   * set there. Only members of a fleet enter this input; it is never logged.
   */
  | { readonly kind: 'happened'; readonly events: readonly ChainEvent[]; readonly rules: readonly FaultRule[] }

/**
 * A request. `target` is path and query as sent. `body` is the text as sent ('' for none); a binary
 * body is in `bytes` instead. `headers` are the REST and gRPC headers that select the response
 * format, by lower-case name. `connection` is set over WebSocket. `origin` is the Origin header;
 * `trusted` tells whether that origin may use methods that change the chain (design §8).
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
  /** The development tool that the client names in its User-Agent, if that can make a difference. */
  readonly tool?: 'hardhat'
  /** The client, as far as active faults need to know it. */
  readonly client?: FaultClient
  /** Requires an immediate response: long work is not deferred. */
  readonly atOnce?: boolean
  /** The height of the playback cursor, which replaces the chain's height. */
  readonly head?: bigint
  /**
   * Recorded answers to the request's calls, in order. A call without one, or with the other chain's
   * part alone, is executed.
   */
  readonly recorded?: readonly (Answer | OtherPart | undefined)[]
}

/** The result of a task, or why there is none; `isBug` is set if that is a bug in chainstage. */
export type Performed =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly error: string; readonly isBug?: true }
