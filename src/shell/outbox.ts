/**
 * What waits for the reader of a WebSocket of CometBFT RPC, as on the node (`comet-rpc.md` §2.6):
 * each subscription has a buffer of its own, and all answers one queue behind them. A subscription
 * whose buffer overflows is canceled; the connection stays.
 */
import type { CometSubscription } from '../feed/subscriptions.ts'
import { textFrame } from './frame.ts'
import { createSender, type Wire } from './sender.ts'

export type OutboxLimits = {
  /** Frames that may wait in the queue. */
  readonly queueMost: number
  /** Events of one subscription that may wait before it. */
  readonly bufferMost: number
  /** Whether a subscription ends, instead of losing an event, where the queue stays full. */
  readonly closesSlow: boolean
  /** How long one frame may take to leave, and a full queue may stay full, in milliseconds. */
  readonly patienceMs: number
}

export type Outbox = {
  readonly reply: (frame: Buffer) => void
  /** Sends an event; `of` says of which subscription, where that matters. */
  readonly event: (frame: Buffer, of: () => CometSubscription | undefined) => void
  readonly end: () => void
}

/** Returns the outbox of a socket; `cut` ends a connection whose reader has stopped. */
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

/** Events of a subscription that have found no room; the first is the one that tries. */
type Line = { readonly frames: Buffer[]; timer: NodeJS.Timeout | undefined }

type Lines = {
  readonly has: (subscription: CometSubscription) => boolean
  readonly wait: (frame: Buffer, subscription: CometSubscription) => void
  /** Gives the room to the subscription that has waited longest. */
  readonly advance: () => void
  readonly end: () => void
}

function createLines({ bufferMost, closesSlow, patienceMs }: OutboxLimits, { put, hasRoom, cancel }: Before): Lines {
  const lines = new Map<CometSubscription, Line>()

  /** The next event begins to wait, behind those of other subscriptions. */
  function restart(subscription: CometSubscription, line: Line): void {
    clearTimeout(line.timer)
    lines.delete(subscription)
    if (line.frames.length === 0) return
    lines.set(subscription, line)
    line.timer = setTimeout(() => giveUp(subscription, line), patienceMs)
  }

  function giveUp(subscription: CometSubscription, line: Line): void {
    line.frames.splice(0, closesSlow ? Infinity : 1)
    if (closesSlow) cancel(subscription)
    // There is hardly ever room for it: then nobody is told.
    if (closesSlow && hasRoom()) put(farewell(subscription, 'slow client'))
    restart(subscription, line)
  }

  return {
    has: (subscription) => lines.has(subscription),
    wait: (frame, subscription) => {
      const line = lines.get(subscription) ?? { frames: [], timer: undefined }
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
      for (const { timer } of lines.values()) clearTimeout(timer)
      lines.clear()
    },
  }
}

/** Returns the frame that tells a subscriber that nothing more will come. */
export function farewell({ id }: Pick<CometSubscription, 'id'>, reason: string): Buffer {
  return textFrame(
    `{"jsonrpc":"2.0","id":${id},"error":{"code":-32000,"message":"Server error",` +
      `"data":"subscription was canceled (reason: ${reason})"}}`,
  )
}
