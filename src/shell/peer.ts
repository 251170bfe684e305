/**
 * One WebSocket connection: frames out with backpressure, and CometBFT's liveness (`comet-rpc.md`
 * §2.6). A reader that does not read is cut off.
 */
import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import type { Side } from '../node/input.ts'

export type Peer = {
  readonly side: Side
  readonly socket: WebSocket
  /** The connection below it. */
  readonly wire: Socket
  /** Sends a frame that `textFrame` made. */
  readonly send: (frame: Buffer) => void
  /** Sends a frame a few bytes at a time; what comes meanwhile waits. */
  readonly dribble: (frame: Buffer, how: Dribble) => void
  /** Sends an event, which may be dropped for a reader that is too slow. */
  readonly push: (frame: Buffer) => void
  /** Hears that the client sent something. */
  readonly seen: () => void
  readonly end: () => void
}

export type Dribble = { readonly bytes: number; readonly everyMs: number }

export type PeerLimits = {
  /** Frames that may wait before events are dropped; a reader that stays so slow may be cut off. */
  readonly queueMost: number
  readonly closesSlow: boolean
}

/** Bytes that may wait for a reader. */
const waitingMost = 64 * 1024 * 1024
/** How long one frame may take to leave, and a full queue may stay full. */
const writeMostMs = 10_000
const pingEveryMs = 27_000
const silentMostMs = 30_000

/** Returns the peer behind a socket; `wire` is the connection below it. */
export function createPeer(side: Side, socket: WebSocket, wire: Socket, limits: PeerLimits): Peer {
  const cut = () => socket.terminate()
  const liveness = side === 'comet' ? watchLiveness(socket, cut) : undefined
  let waiting = 0
  let stalled: NodeJS.Timeout | undefined
  let fullSinceMs: number | undefined

  const onSent = () => {
    waiting -= 1
    if (waiting < limits.queueMost) fullSinceMs = undefined
    if (waiting > 0) return void stalled?.refresh()
    clearTimeout(stalled)
    stalled = undefined
  }

  /** Frames behind one that is being dribbled. */
  let line: Buffer[] | undefined

  const send = (frame: Buffer) => {
    if (socket.readyState !== socket.OPEN) return
    if (line !== undefined) return void line.push(frame)
    if (wire.writableLength > waitingMost) return cut()
    waiting += 1
    if (waiting === limits.queueMost) fullSinceMs = performance.now()
    // Without compression ws writes whole frames at once: ours may stand between them.
    if (!wire.write(frame, onSent)) stalled ??= setTimeout(cut, writeMostMs)
  }

  return {
    side, socket, wire, send,
    dribble: (frame, { bytes, everyMs }) => {
      if (line !== undefined) return send(frame)
      line = []
      let sent = 0
      const timer = setInterval(() => {
        wire.write(frame.subarray(sent, sent + bytes))
        sent += bytes
        if (sent < frame.length && !wire.destroyed) return
        clearInterval(timer)
        const behind = line ?? []
        line = undefined
        behind.forEach(send)
      }, everyMs)
    },
    push: (frame) => {
      const isSlow = fullSinceMs !== undefined && performance.now() - fullSinceMs > writeMostMs
      if (!isSlow) return send(frame)
      if (limits.closesSlow) cut()
    },
    seen: () => liveness?.seen(),
    end: () => { clearTimeout(stalled); liveness?.stop() },
  }
}

/** CometBFT pings, and drops a client it has not heard of for 30 seconds; client pings do not count. */
function watchLiveness(socket: WebSocket, cut: () => void): { seen: () => void; stop: () => void } {
  const ping = setInterval(() => socket.ping(), pingEveryMs)
  const deadline = setTimeout(cut, silentMostMs)
  const seen = () => { deadline.refresh() }
  socket.on('pong', seen)
  return { seen, stop: () => { clearInterval(ping); clearTimeout(deadline) } }
}
