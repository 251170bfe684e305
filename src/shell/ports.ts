/** Interfaces of a process's chains and connections for the rest of the shell. */
import type { IncomingMessage } from 'node:http'
import type { WantedPart } from '../app/forked.ts'
import type { Closing } from './transport/brokenFrame.ts'
import type { Exchanges } from './exchanges.ts'
import type { OpenSocket } from './transport/peer.ts'
import type { OperatorCommand } from '../plan/input.ts'
import type { Peeked } from './peek.ts'
import type { Queue } from './queue.ts'
import type { Refusal, Simulation } from '../simulation/turn.ts'
import type { World } from '../node/world.ts'
import type { Player } from '../recording/playback/player.ts'
import type { Side } from '../settings/side.ts'

export type Sockets = {
  /** Adds an open socket. */
  readonly connected: (socket: OpenSocket, request: IncomingMessage, side: Side) => void
  /** Opens a connection without a socket; `receive` gets its events within this program. */
  readonly openLocal: (side: Side, receive: (text: string) => void) => Local
  /** Sends one event to many connections in a shared frame. */
  readonly push: (connections: readonly number[], text: string) => void
  readonly close: (connection: number, how: Closing) => void
  /** Calls `answer` with the HTTP status for a handshake; 101 accepts it. */
  readonly admit: (request: IncomingMessage, side: Side, answer: (status: number) => void) => void
  /**
   * Ends every connection; subscribers of CometBFT RPC first receive CometBFT's exit message. With
   * a code, each connection ends with a closing handshake that contains the code.
   */
  readonly stop: (code?: number) => void
}

/** A connection within this program. A fault may close it. */
export type Local = { readonly connection: number; readonly isOpen: () => boolean; readonly close: () => void }

export type Instance = {
  /** The name of the session; '' for the main chain. */
  readonly session: string
  readonly world: World
  readonly queue: Queue
  readonly sockets: Sockets
  readonly exchanges: Exchanges
  readonly simulation: () => Simulation
  /** Simulation time in milliseconds. That of the node is the time of its last input. */
  readonly nowMs: () => bigint
  /** The name and height of the recording that answers instead of the chain. */
  readonly playback: Pick<Player, 'name' | 'height'> | undefined
  readonly enter: Queue['enter']
  /** Enters an operator's command and returns its result. */
  readonly operate: (by: string, command: OperatorCommand) => Operation
  /** Returns the response to a call with every method enabled, and changes nothing. */
  readonly peek: (side: Side, method: string, params: unknown) => Peeked
  /** On a fork: fetches state of the other chain. Rejects with `StateMissing`. */
  readonly fetch?: (wanted: readonly WantedPart[]) => Promise<void>
  /**
   * Moves simulation time forward if it stands still (`pace: manual`), in milliseconds. In a fleet,
   * the leader may fail to confirm it.
   */
  readonly advance: (ms: number) => Promise<Operated>
  /**
   * Continues from a saved simulation. Throws `ForeignState` or `RecordingRuns`, and then changes
   * nothing.
   */
  readonly become: (saved: Simulation) => void
  /**
   * Resolves when all inputs so far are saved, immediately if the chain is not saved. Rejects with
   * `CannotWrite`.
   */
  readonly kept: () => Promise<void>
  readonly onChange: (listener: () => void) => () => void
  /** Milliseconds since the chain was last used; 0 while a connection is open. */
  readonly idleMs: () => number
  /**
   * Resolves when this process has applied every input that the chain's leader had before the call,
   * immediately without a fleet.
   */
  readonly caughtUp: () => Promise<Operated>
  /**
   * Resolves when the chain has joined its fleet, or has the fixtures of a fork; immediately without either.
   * Rejects with `NotFurnished`.
   */
  readonly joined: Promise<void>
  /** Whether this process controls the chain; false if it follows a leader. */
  readonly leads: () => boolean
  /** Ends the chain and its connections; a code is sent to WebSockets when they close. */
  readonly stop: (code?: number) => void
}

/**
 * The result of an operator's command. `now` is undefined if the command has to wait: for the chain
 * that this chain is forked from, or for the leader of a fleet. `settled` resolves when the command
 * has run and its effect is visible here.
 */
export type Operation = { readonly now: Operated | undefined; readonly settled: Promise<Operated> }

/** `unconfirmed` means that no leader of the fleet confirmed the command in time. */
export type Operated = Refusal | { readonly kind: 'done' } | { readonly kind: 'unconfirmed'; readonly message: string }

export type Reloaded = {
  readonly change: 'none' | 'live' | 'restart' | 'rebased' | 'kept'
  readonly generation: number
  /** Messages about the reload for the user. */
  readonly notes: readonly string[]
}
