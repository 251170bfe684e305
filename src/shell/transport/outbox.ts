/**
 * Pending frames of a CometBFT RPC WebSocket, as on the node (`comet-rpc.md` §2.6). Each
 * subscription has its own buffer; the buffers and all responses feed one queue. A subscription is
 * canceled when its buffer overflows; the connection stays open.
 */
import { canceledText, type CometSubscription } from '../../feed/subscriptions.ts'
import { afterWaiting } from '../afterReading.ts'
import { textFrame } from './frame.ts'
import { createSender, type Wire } from './sender.ts'

export type OutboxLimits = {
  /** Maximum number of frames in the queue. */
  readonly queueMost: number
  /** Maximum number of events in the buffer of a subscription. */
  readonly bufferMost: number
  /** Whether a queue that stays full cancels a subscription instead of dropping an event. */
  readonly closesSlow: boolean
  /** The longest time to send one frame, and for the queue to stay full, in milliseconds. */
  readonly patienceMs: number
}

export type Outbox = {
  readonly reply: (frame: Buffer) => void
  /** Sends an event; `of` returns its subscription and is called only if the reader is slow. */
  readonly event: (frame: Buffer, of: () => CometSubscription | undefined) => void
  readonly end: () => void
}

/** Returns the outbox of a socket; `cut` ends the connection when its client stops reading. */
export function createOutbox(wire: Wire, limits: OutboxLimits, cut: () => void): Outbox {
  const canceled = new WeakSet<CometSubscription>()
  let hasCanceled = false
  const sender = createSender({
    wire,
    cut,
    patienceMs: limits.patienceMs,
    onRoom: () => {
      if (hasRoom()) lines.advance()
    },
  })
  const hasRoom = () => sender.length() < limits.queueMost
  const lines = createLines(limits, {
    put: sender.put,
    hasRoom,
    cancel: (subscription) => {
      canceled.add(subscription)
      hasCanceled = true
    },
  })
  return {
    reply: sender.put,
    event: (frame, of) => {
      if (sender.isFree() && !hasCanceled) return sender.put(frame)
      const subscription = of()
      if (subscription !== undefined && canceled.has(subscription)) return
      const isNext = subscription === undefined || !lines.has(subscription)
      if (sender.isFree() || (isNext && hasRoom())) sender.put(frame)
      else if (subscription !== undefined) lines.wait(frame, subscription)
    },
    end: () => {
      sender.end()
      lines.end()
    },
  }
}

type Before = {
  readonly put: (frame: Buffer) => void
  readonly hasRoom: () => boolean
  readonly cancel: (subscription: CometSubscription) => void
}

/** Buffered events of a subscription; the first one waits for room in the queue. */
type Line = { readonly frames: Buffer[]; cancelTimer: () => void }

type Lines = {
  readonly has: (subscription: CometSubscription) => boolean
  readonly wait: (frame: Buffer, subscription: CometSubscription) => void
  /** Moves the next event of the subscription that has waited longest to the queue. */
  readonly advance: () => void
  readonly end: () => void
}

function createLines({ bufferMost, closesSlow, patienceMs }: OutboxLimits, { put, hasRoom, cancel }: Before): Lines {
  const lines = new Map<CometSubscription, Line>()

  /** Starts the wait of the next event, behind the events of other subscriptions. */
  function restart(subscription: CometSubscription, line: Line): void {
    line.cancelTimer()
    lines.delete(subscription)
    if (line.frames.length === 0) return
    lines.set(subscription, line)
    line.cancelTimer = afterWaiting(() => giveUp(subscription, line), patienceMs)
  }

  function giveUp(subscription: CometSubscription, line: Line): void {
    line.frames.splice(0, closesSlow ? Infinity : 1)
    if (closesSlow) cancel(subscription)
    // The queue is usually still full, and the subscriber then gets no message.
    if (closesSlow && hasRoom()) put(farewell(subscription, 'slow client'))
    restart(subscription, line)
  }

  return {
    has: (subscription) => lines.has(subscription),
    wait: (frame, subscription) => {
      const line = lines.get(subscription) ?? { frames: [], cancelTimer: () => {} }
      line.frames.push(frame)
      if (line.frames.length === 1) restart(subscription, line)
      if (line.frames.length <= bufferMost + 1) return
      cancel(subscription)
      line.frames.splice(1, Infinity, farewell(subscription, 'internal subscription event buffer is out of capacity'))
    },
    advance: () => {
      const [longest] = lines
      if (longest === undefined) return
      const [subscription, line] = longest
      const first = line.frames.shift()
      if (first !== undefined) put(first)
      restart(subscription, line)
    },
    end: () => {
      for (const { cancelTimer } of lines.values()) cancelTimer()
      lines.clear()
    },
  }
}

/** Returns the frame that tells a subscriber that its subscription was canceled. */
export function farewell({ id }: Pick<CometSubscription, 'id'>, reason: string): Buffer {
  return textFrame(canceledText(id, reason))
}
