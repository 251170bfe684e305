/**
 * Frames onto a socket, one at a time, in a queue: what CometBFT's write routine and its channel
 * do.
 */

/** The part of a socket that this needs. */
export type Wire = {
  readonly writableLength: number
  readonly write: (frame: Buffer, sent: () => void) => unknown
}

export type SenderOptions = {
  readonly wire: Wire
  /** How long one frame may take to leave, in milliseconds. */
  readonly patienceMs: number
  /** Ends a connection whose reader has stopped. */
  readonly cut: () => void
  /** Told when a frame has left the queue. */
  readonly onRoom: () => void
}

export type Sender = {
  /** Whether a frame would leave at once. */
  readonly isFree: () => boolean
  /** How many frames wait. */
  readonly length: () => number
  readonly put: (frame: Buffer) => void
  readonly end: () => void
}

/** Bytes that may wait for a reader in all. */
const waitingMost = 64 * 1024 * 1024

/** Returns the sender of a socket. */
export function createSender({ wire, patienceMs, cut, onRoom }: SenderOptions): Sender {
  const queue: Buffer[] = []
  let queuedBytes = 0
  let stalled: NodeJS.Timeout | undefined
  const isFree = () => queue.length === 0 && wire.writableLength === 0

  function write(frame: Buffer): void {
    wire.write(frame, () => {
      clearTimeout(stalled)
      stalled = undefined
      pump()
    })
    if (wire.writableLength > 0) stalled ??= setTimeout(cut, patienceMs)
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
    end: () => clearTimeout(stalled),
  }
}
