/** Sends queued frames to a socket one at a time, as CometBFT's write routine and channel do. */
import { afterWaiting } from '../afterReading.ts'

/** The part of a socket that a sender uses. */
export type Wire = {
  readonly writableLength: number
  readonly write: (frame: Buffer, sent: () => void) => unknown
}

export type SenderOptions = {
  readonly wire: Wire
  /** The longest time to send one frame, in milliseconds. */
  readonly patienceMs: number
  /** Ends the connection when its client stops reading. */
  readonly cut: () => void
  /** Called when a frame has left the queue. */
  readonly onRoom: () => void
}

export type Sender = {
  /** Returns whether a frame would be sent immediately. */
  readonly isFree: () => boolean
  /** Returns the number of queued frames. */
  readonly length: () => number
  readonly put: (frame: Buffer) => void
  readonly end: () => void
}

/** The maximum number of bytes that wait for one client. */
export const waitingMost = 64 * 1024 * 1024

/** Returns a sender for a socket. */
export function createSender({ wire, patienceMs, cut, onRoom }: SenderOptions): Sender {
  const queue: Buffer[] = []
  let queuedBytes = 0
  let cancelCut: (() => void) | undefined
  const isFree = () => queue.length === 0 && wire.writableLength === 0

  function write(frame: Buffer): void {
    wire.write(frame, () => {
      cancelCut?.()
      cancelCut = undefined
      pump()
    })
    if (wire.writableLength > 0) cancelCut ??= afterWaiting(cut, patienceMs)
  }

  function pump(): void {
    while (wire.writableLength === 0) {
      const next = queue.shift()
      if (next === undefined) return
      queuedBytes -= next.length
      write(next)
      onRoom()
    }
  }

  return {
    isFree,
    length: () => queue.length,
    put: (frame) => {
      if (isFree()) return write(frame)
      queuedBytes += frame.length
      queue.push(frame)
      if (queuedBytes > waitingMost) cut()
    },
    end: () => cancelCut?.(),
  }
}
