/** What the chains of a process and their connections look like to the rest of the shell. */
import type { IncomingMessage } from 'node:http'
import type { Closing } from './brokenFrame.ts'
import type { Exchanges } from './exchanges.ts'
import type { OpenSocket } from './peer.ts'
import type { OperatorCommand } from '../node/input.ts'
import type { Peeked } from './peek.ts'
import type { Queue } from './queue.ts'
import type { Refusal, Simulation } from '../simulation/turn.ts'
import type { World } from '../node/world.ts'
import type { Player } from '../recording/playback/player.ts'
import type { Side } from '../settings/side.ts'

export type Sockets = {
  /** Takes a socket that is open. */
  readonly connected: (socket: OpenSocket, request: IncomingMessage, side: Side) => void
  /** Opens a connection without a socket: a part of this program listens. */
  readonly openLocal: (side: Side, receive: (text: string) => void) => Local
  /** Sends one event to many: framed once. */
  readonly push: (connections: readonly number[], text: string) => void
  readonly close: (connection: number, how: Closing) => void
  /** Says with which status a handshake is answered; 101 opens it. */
  readonly admit: (request: IncomingMessage, side: Side, answer: (status: number) => void) => void
  /**
   * Ends every connection, with CometBFT's last words to subscribers of CometBFT RPC; with a code,
   * by a closing handshake that says it.
   */
  readonly stop: (code?: number) => void
}

export type Local = { readonly connection: number; readonly close: () => void }

export type Instance = {
  /** '' is the main chain. */
  readonly session: string
  readonly world: World
  readonly queue: Queue
  readonly sockets: Sockets
  readonly exchanges: Exchanges
  readonly simulation: () => Simulation
  /** The recording that answers in place of the chain, and the height that it has. */
  readonly playback: Pick<Player, 'name' | 'height'> | undefined
  readonly enter: Queue['enter']
  /** Enters an operator's command, and tells what becomes of it. */
  readonly operate: (by: string, command: OperatorCommand) => Operation
  /** Answers a call as a client would be answered, with every method on, and changes nothing. */
  readonly peek: (side: Side, method: string, params: unknown) => Peeked
  /** Moves simulation time where it stands (`pace: manual`), in milliseconds. */
  readonly advance: (ms: number) => Promise<void>
  /**
   * Takes up a saved simulation. Throws `ForeignState`, or `RecordingRuns`; nothing has changed
   * then.
   */
  readonly become: (saved: Simulation) => void
  /**
   * Resolves when everything that was entered so far is kept; at once where nothing is kept. Rejects
   * with `CannotWrite`.
   */
  readonly kept: () => Promise<void>
  readonly onChange: (listener: () => void) => () => void
  /** Milliseconds since it was last used; 0 while a connection is open. */
  readonly idleMs: () => number
  /** Resolves when it has caught up with its fleet; at once without one. */
  readonly joined: Promise<void>
  /** Whether this process decides what happens to the chain: not so where it follows a leader. */
  readonly leads: () => boolean
  /** Ends it with its connections; they are told a code if there is one. */
  readonly stop: (code?: number) => void
}

/**
 * What becomes of an operator's command. `now` is undefined while the command waits, for instance
 * for the chain that this one is forked from; `settled` resolves when it has had its turn.
 */
export type Operation = { readonly now: Operated | undefined; readonly settled: Promise<Operated> }

export type Operated = Refusal | { readonly kind: 'done' }

export type Reloaded = {
  readonly change: 'none' | 'live' | 'restart' | 'rebased' | 'kept'
  readonly generation: number
  /** What a person should know of it. */
  readonly notes: readonly string[]
}
