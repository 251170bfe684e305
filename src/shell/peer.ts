/**
 * One WebSocket connection: frames out with backpressure, and CometBFT's liveness (`comet-rpc.md`
 * §2.6). A reader that does not read is cut off.
 */
import type { Socket } from 'node:net'
import type { CometSubscription } from '../feed/subscriptions.ts'
import type { Side } from '../settings/side.ts'
import { createOutbox, type Outbox, type OutboxLimits } from './outbox.ts'

/**
 * What is used of a socket of `ws`. Our declarations do not name the types of `ws`, which projects
 * that check the declarations of their dependencies need not have.
 */
export type OpenSocket = {
  readonly readyState: number
  readonly OPEN: number
  readonly ping: () => void
  readonly close: (code: number, reason?: string) => void
  readonly terminate: () => void
  readonly on: (event: 'message' | 'error' | 'close' | 'pong', listener: (data: unknown) => void) => unknown
}

export type Peer = {
  readonly side: Side
  readonly socket: OpenSocket
  /** The connection below it. */
  readonly wire: Socket
  /** Sends a frame that `textFrame` made. */
  readonly send: (frame: Buffer) => void
  /** Sends a frame a few bytes at a time; what comes meanwhile waits. */
  readonly dribble: (frame: Buffer, how: Dribble) => void
  /** Sends an event, which may be dropped for a reader that is too slow. */
  readonly push: (frame: Buffer, of: () => CometSubscription | undefined) => void
  /** Hears that the client sent something. */
  readonly seen: () => void
  readonly end: () => void
}

export type Dribble = { readonly bytes: number; readonly everyMs: number }

export type PeerLimits = Omit<OutboxLimits, 'patienceMs'>

/** How long one frame may take to leave, and a full queue may stay full. */
const patienceMs = 10_000
const pingEveryMs = 27_000
const silentMostMs = 30_000

/** Returns the peer behind a socket; `wire` is the connection below it. */
export function createPeer(side: Side, socket: OpenSocket, wire: Socket, limits: PeerLimits): Peer {
  const cut = () => socket.terminate()
  const liveness = side === 'comet' ? watchLiveness(socket, cut) : undefined
  // Without compression ws writes whole frames at once: ours may stand between them.
  const outbox: Outbox = createOutbox(wire, { ...limits, patienceMs }, cut)
  /** What comes behind a frame that is being dribbled. */
  let line: (() => void)[] | undefined
  const inTurn = (put: () => void) => {
    if (socket.readyState !== socket.OPEN) return
    if (line === undefined) put()
    else line.push(put)
  }
  return {
    side,
    socket,
    wire,
    send: (frame) => inTurn(() => outbox.reply(frame)),
    dribble: (frame, { bytes, everyMs }) =>
      inTurn(() => {
        line = []
        let sent = 0
        const timer = setInterval(() => {
          wire.write(frame.subarray(sent, sent + bytes))
          sent += bytes
          if (sent < frame.length && !wire.destroyed) return
          clearInterval(timer)
          const behind = line ?? []
          line = undefined
          behind.forEach(inTurn)
        }, everyMs)
      }),
    // geth keeps what its subscribers have not read.
    push: (frame, of) => inTurn(() => (side === 'comet' ? outbox.event(frame, of) : outbox.reply(frame))),
    seen: () => liveness?.seen(),
    end: () => {
      outbox.end()
      liveness?.stop()
    },
  }
}

/**
 * CometBFT pings, and drops a client it has not heard of for 30 seconds; client pings do not count.
 */
function watchLiveness(socket: OpenSocket, cut: () => void): { seen: () => void; stop: () => void } {
  const ping = setInterval(() => socket.ping(), pingEveryMs)
  const deadline = setTimeout(cut, silentMostMs)
  const seen = () => {
    deadline.refresh()
  }
  socket.on('pong', seen)
  return {
    seen,
    stop: () => {
      clearInterval(ping)
      clearTimeout(deadline)
    },
  }
}
