/** A WebSocket in memory: what the server writes on the wire comes as texts, as fast as its reader reads. */
import type { IncomingMessage } from 'node:http'
import type { OpenSocket } from '../../src/shell/transport/peer.ts'
import type { Side } from '../../src/settings/side.ts'

export type StormSocket = {
  readonly side: Side
  readonly socket: OpenSocket
  readonly request: IncomingMessage
  readonly isOpen: () => boolean
  readonly isStalled: () => boolean
  /** Sends a text to the server. */
  readonly say: (text: string) => void
  /** Stops reading, or reads all that waits and goes on. */
  readonly stall: (isOn: boolean) => void
  /** Ends the connection from the client's side. */
  readonly end: () => void
}

type Event = Parameters<OpenSocket['on']>[0]

/** Returns an open socket; `receive` is told every text that has arrived. */
export function createStormSocket(side: Side, receive: (text: string) => void): StormSocket {
  const listeners = new Map<Event, ((data: unknown) => void)[]>()
  let [isOpen, isStalled] = [true, false]
  let waiting: { readonly frame: Buffer; readonly sent: () => void }[] = []
  const tell = (event: Event, data?: unknown) => {
    for (const listener of listeners.get(event) ?? []) listener(data)
  }
  const end = () => {
    if (!isOpen) return
    isOpen = false
    waiting = []
    tell('close')
  }
  const arrive = (frame: Buffer) => textsOf(frame).forEach(receive)
  const wire = {
    remoteAddress: '127.0.0.1',
    remotePort: 1,
    destroyed: false,
    get writableLength() {
      return waiting.reduce((sum, { frame }) => sum + frame.length, 0)
    },
    write: (frame: Buffer, sent: () => void = () => {}) => {
      if (isStalled) waiting.push({ frame, sent })
      else {
        arrive(frame)
        sent()
      }
    },
    end,
    destroy: end,
  }
  const socket: OpenSocket = {
    get readyState() {
      return isOpen ? 1 : 3
    },
    OPEN: 1,
    ping: () => {},
    close: end,
    terminate: end,
    pause: () => {},
    resume: () => {},
    on: (event, listener) => listeners.set(event, [...(listeners.get(event) ?? []), listener]),
  }
  const request = { url: '/', headers: { host: '127.0.0.1' }, socket: wire } as unknown as IncomingMessage
  return {
    ...{ side, socket, request, end },
    isOpen: () => isOpen,
    isStalled: () => isStalled,
    say: (text) => tell('message', text),
    stall: (isOn) => {
      isStalled = isOn
      while (!isStalled && waiting.length > 0) {
        const next = waiting.shift()
        if (next === undefined) return
        arrive(next.frame)
        next.sent()
      }
    },
  }
}

/** Returns the texts of unmasked frames (RFC 6455 §5.2). */
function textsOf(frames: Buffer): readonly string[] {
  if (frames.length === 0) return []
  const short = (frames[1] ?? 0) & 0x7f
  const head = short === 127 ? 10 : short === 126 ? 4 : 2
  const length = short === 127 ? Number(frames.readBigUInt64BE(2)) : short === 126 ? frames.readUInt16BE(2) : short
  return [frames.toString('utf8', head, head + length), ...textsOf(frames.subarray(head + length))]
}
