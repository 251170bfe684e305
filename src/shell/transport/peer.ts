/**
 * One WebSocket connection: outgoing frames with backpressure, and CometBFT's liveness check
 * (`comet-rpc.md` §2.6). A client that does not read is disconnected.
 */
import type { Socket } from 'node:net'
import type { CometSubscription } from '../../feed/subscriptions.ts'
import type { Side } from '../../settings/side.ts'
import { createOutbox, type Outbox, type OutboxLimits } from './outbox.ts'
import { waitingMost } from './sender.ts'
import { ifStillSilent } from '../afterReading.ts'
import { runningClock } from '../runningClock.ts'

/**
 * The part of a `ws` socket that is used. It is declared here because projects that check the
 * declarations of their dependencies may not have the types of `ws`.
 */
export type OpenSocket = {
  readonly readyState: number
  readonly OPEN: number
  readonly ping: () => void
  readonly close: (code: number, reason?: string) => void
  readonly terminate: () => void
  readonly pause: () => void
  readonly resume: () => void
  readonly on: (event: 'message' | 'error' | 'close' | 'pong', listener: (data: unknown) => void) => unknown
}

export type Peer = {
  readonly side: Side
  readonly socket: OpenSocket
  /** The TCP connection below the WebSocket. */
  readonly wire: Socket
  /** Sends a frame made by `textFrame`. */
  readonly send: (frame: Buffer) => void
  /** Sends a frame a few bytes at a time; later frames wait until it is sent. */
  readonly dribble: (frame: Buffer, how: Dribble) => void
  /** Sends an event, which may be dropped if the client reads too slowly. */
  readonly push: (frame: Buffer, of: () => CometSubscription | undefined) => void
  /** Notes that the client sent a message. */
  readonly seen: () => void
  readonly end: () => void
}

export type Dribble = { readonly bytes: number; readonly everyMs: number }

type Waiting = { readonly frame: Buffer; readonly put: () => void }

export type PeerLimits = Omit<OutboxLimits, 'patienceMs'>

/** The longest time to send one frame, and for the queue to stay full. */
const patienceMs = 10_000
/** CometBFT's time between two pings and longest time of silence, by the clock of this process. */
const lively = { pingEveryMs: 27_000, silentMostMs: 30_000, nowMs: () => runningClock().nowMs() }

/** Returns the peer behind a socket; `wire` is the connection below it. */
export function createPeer(side: Side, socket: OpenSocket, wire: Socket, limits: PeerLimits): Peer {
  const cut = () => socket.terminate()
  const liveness = side === 'comet' ? watchLiveness(socket, () => ifStillSilent(wire, cut)) : undefined
  // Without compression, ws writes whole frames at once, so our frames can go between them.
  const outbox: Outbox = createOutbox(wire, { ...limits, patienceMs }, cut)
  /** Frames that wait for a dribbled frame; undefined if there is none. */
  let line: { readonly frames: Waiting[]; bytes: number } | undefined
  const inTurn = (frame: Buffer, put: () => void) => {
    if (socket.readyState !== socket.OPEN) return
    if (line === undefined) return put()
    line.frames.push({ frame, put })
    line.bytes += frame.length
    if (line.bytes > waitingMost) cut()
  }
  return {
    side,
    socket,
    wire,
    send: (frame) => inTurn(frame, () => outbox.reply(frame)),
    dribble: (frame, { bytes, everyMs }) =>
      inTurn(frame, () => {
        line = { frames: [], bytes: 0 }
        let sent = 0
        const timer = setInterval(() => {
          wire.write(frame.subarray(sent, sent + bytes))
          sent += bytes
          if (sent < frame.length && !wire.destroyed) return
          clearInterval(timer)
          const behind = line?.frames ?? []
          line = undefined
          for (const { frame: next, put } of behind) inTurn(next, put)
        }, everyMs)
      }),
    // geth keeps all events that its subscribers have not read.
    push: (frame, of) => inTurn(frame, () => (side === 'comet' ? outbox.event(frame, of) : outbox.reply(frame))),
    seen: () => liveness?.seen(),
    end: () => {
      outbox.end()
      liveness?.stop()
    },
  }
}

/**
 * Pings the client and calls `cut` after 30 seconds of silence, as CometBFT does. Pings of the client do not
 * count. Neither does time for which this process did not run, because it sent no ping.
 */
export function watchLiveness(
  socket: Pick<OpenSocket, 'ping' | 'on'>,
  cut: () => void,
  { pingEveryMs, silentMostMs, nowMs } = lively,
): { seen: () => void; stop: () => void } {
  const ping = setInterval(() => socket.ping(), pingEveryMs)
  let seenMs = nowMs()
  const deadline = setTimeout(() => {
    // A client that is spared has its time again.
    deadline.refresh()
    if (nowMs() - seenMs > pingEveryMs) cut()
  }, silentMostMs)
  const seen = () => {
    seenMs = nowMs()
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
