/**
 * WebSockets of both interfaces. They turn incoming frames into inputs, and replies and pushes into
 * outgoing frames. `ws` is loaded for the first WebSocket.
 */
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { WebSocketServer } from 'ws'
import { frameHead } from '../feed/comet.ts'
import type { CometSubscription } from '../feed/subscriptions.ts'
import type { Side } from '../settings/side.ts'
import type { Settings } from '../settings/settings.ts'
import { closeOn, sendOn } from './transport/brokenFrame.ts'
import { clientFor, clientOf } from './transport/client.ts'
import { textFrame } from './transport/frame.ts'
import { answerPlainly, judgeUpgrade, onDetached, onUpgrade, refuseUpgrade } from './transport/handshake.ts'
import { isTrustedOrigin, takeAuthority } from './transport/hosts.ts'
import { generationHeader } from './transport/generation.ts'
import { listenerOf, type HttpOptions } from './http.ts'
import { lazily, notLoaded } from './lazily.ts'
import { farewell } from './transport/outbox.ts'
import { createPeer, type Peer, type PeerLimits, type OpenSocket } from './transport/peer.ts'
import type { Queue } from './queue.ts'
import { BadSession, sessionFor, takeSession } from './sessions.ts'
import type { Sockets } from './ports.ts'
import { writeText } from './transport/httpReply.ts'

export type WsOptions = {
  readonly queue: Queue
  readonly settings: () => Settings
  readonly wallSeconds: () => number
}

/** The longest time for a client to answer a close, in milliseconds. */
const closingMs = 200

/** The largest message on Ethereum JSON-RPC, in bytes (`cosmos-evm-rpc.md` §5.3). */
const ethMessageMax = 1024 * 1024

/** Returns the WebSockets of a queue; connections are numbered from 1. */
export function createSockets(options: WsOptions): Sockets {
  const peers = new Map<number, Peer>()
  const locals = new Map<number, (text: string) => void>()
  let count = 0
  let isStopped = false

  function connected(socket: OpenSocket, request: IncomingMessage, side: Side): void {
    // The session may have ended before the socket was open.
    if (isStopped) return socket.terminate()
    const connection = ++count
    const { queue, settings } = options
    const peer = createPeer(side, socket, request.socket, limitsOf(settings()))
    peers.set(connection, peer)
    queue.enter({
      kind: 'connected',
      connection,
      side,
      remote: remoteOf(request.socket),
      client: clientOf(request, []),
    })
    const unanswered = limitUnanswered(socket)
    socket.on('message', (data) => received(options, { peer, connection, request, unanswered }, String(data)))
    socket.on('error', () => {})
    socket.on('close', () => {
      peer.end()
      peers.delete(connection)
      queue.enter({ kind: 'disconnected', connection })
    })
  }

  function closeLocal(connection: number): void {
    if (locals.delete(connection)) options.queue.enter({ kind: 'disconnected', connection })
  }

  return {
    connected,
    openLocal: (side, receive) => {
      const connection = ++count
      locals.set(connection, receive)
      options.queue.enter({ kind: 'connected', connection, side, remote: 'program' })
      return { connection, isOpen: () => locals.has(connection), close: () => closeLocal(connection) }
    },
    push: (connections, text) => {
      const frame = textFrame(text)
      for (const connection of connections) {
        peers.get(connection)?.push(frame, () => subscriptionOf(options.queue, connection, text))
        locals.get(connection)?.(text)
      }
    },
    close: (connection, how) => {
      const peer = peers.get(connection)
      if (peer !== undefined) closeOn(peer, how)
      else closeLocal(connection)
    },
    admit: (request, side, answer) => {
      const { active, refusals } = options.queue.simulation().node.faults
      if (active.length === 0 && refusals.length === 0) return answer(101)
      const client = clientOf(request, active)
      options.queue.enter({ kind: 'handshake', side, client }, ({ status }) => answer(status))
    },
    stop: (code) => {
      isStopped = true
      for (const [connection, peer] of peers) {
        if (peer.side === 'comet') sayGoodbye(options.queue, connection, peer)
        end(peer, code)
      }
      peers.clear()
    },
  }
}

function remoteOf({ remoteAddress = '', remotePort = 0 }: Socket): string {
  return `${remoteAddress}:${remotePort}`
}

function limitsOf({ websocketWriteBuffer, subscriptionBuffer, closeOnSlowClient }: Settings): PeerLimits {
  return {
    queueMost: websocketWriteBuffer,
    bufferMost: subscriptionBuffer,
    closesSlow: closeOnSlowClient,
  }
}

function end({ socket }: Peer, code: number | undefined): void {
  if (code === undefined) return socket.terminate()
  socket.close(code, 'service restart')
  setTimeout(() => socket.terminate(), closingMs)
}

/**
 * Handles the upgrade requests of a server; each session has its own sockets. A handshake is refused
 * and an error logged if `load` fails.
 */
export function attachSockets(server: Server, door: HttpOptions, main: Sockets, load = loadServer): void {
  const { settings } = door
  const servers = lazily(() => load(door.side === 'comet' ? settings().maxBodyBytes : ethMessageMax))
  const listener = listenerOf(door)
  // CONNECT to a path is an ordinary request here; node detaches its connection like an upgrade.
  onDetached(server, 'connect', (connecting) => answerPlainly(connecting, listener))
  const judge = (request: IncomingMessage) => {
    takeAuthority(request)
    const asked = { url: request.url ?? '/' }
    if (door.sessions !== undefined) takeSession(asked)
    return judgeUpgrade(request, asked.url, door)
  }
  onUpgrade(server, judge, (upgrading, verdict) => {
    const { request, socket, head } = upgrading
    const name = door.sessions === undefined ? undefined : takeSession(request)
    const told = generationHeader(door)
    if (verdict !== 'upgrade') {
      return refuseUpgrade(upgrading, verdict, [
        ...(door.side === 'comet' ? [['X-Server-Time', String(door.wallSeconds())] as const] : []),
        ...told,
      ])
    }
    const sockets = socketsOf(door, request, { name, main })
    if (sockets instanceof BadSession) {
      const { text } = sockets
      return answerPlainly(upgrading, (_, response) => writeText({ request, response }, 404, text, told))
    }
    sockets.admit(request, door.side, (status) => {
      if (status !== 101) return refuseUpgrade(upgrading, status, told)
      const open = (upgrades: WebSocketServer) => {
        const tell = (headers: string[]) => {
          headers.push(...told.map(([header, value]) => `${header}: ${value}`))
        }
        // The listener is attached only during this upgrade, so it adds headers to no other.
        upgrades.on('headers', tell)
        upgrades.handleUpgrade(request, socket, head, (opened) => sockets.connected(opened, request, door.side))
        upgrades.off('headers', tell)
      }
      void servers().then(open, (error: unknown) => {
        door.log('error', notLoaded('the WebSocket server', error))
        refuseUpgrade(upgrading, 500, told)
      })
    })
  })
}

/** Returns the sockets of the chain that a request names, or the reason why there are none. */
function socketsOf(
  { sessions, settings }: HttpOptions,
  request: IncomingMessage,
  { name, main }: { readonly name: string | undefined; readonly main: Sockets },
): Sockets | BadSession {
  if (sessions === undefined || name === undefined) return main
  try {
    return sessionFor(sessions, name, { request, opensSocket: true, settings: settings() }).sockets
  } catch (error) {
    if (error instanceof BadSession) return error
    throw error
  }
}

const loadServer = (maxPayload: number): Promise<WebSocketServer> =>
  import('./transport/wsServer.ts').then(({ createWsServer }) => createWsServer(maxPayload))

/** The number of messages of a connection that may wait for their responses before no more are read. */
const unansweredMost = 1000

type Unanswered = { readonly add: () => void; readonly remove: () => void }

/**
 * Counts the messages of a socket that have no response yet. While they are too many, no more is read: a
 * client that does not wait cannot fill the memory. Messages that came in the same piece are still read.
 */
function limitUnanswered(socket: OpenSocket): Unanswered {
  let count = 0
  return {
    add: () => {
      count += 1
      if (count === unansweredMost) socket.pause()
    },
    remove: () => {
      if (count === unansweredMost) socket.resume()
      count -= 1
    },
  }
}

type Message = {
  readonly peer: Peer
  readonly connection: number
  readonly request: IncomingMessage
  readonly unanswered: Unanswered
}

function received(
  { queue, settings }: WsOptions,
  { peer, connection, request, unanswered }: Message,
  body: string,
): void {
  peer.seen()
  unanswered.add()
  const { origin, host = '' } = request.headers
  queue.enter(
    {
      kind: 'request',
      side: peer.side,
      transport: 'ws',
      verb: 'GET',
      target: request.url ?? '/',
      contentType: '',
      host,
      origin,
      trusted: isTrustedOrigin(origin, settings()),
      connection,
      body,
      ...clientFor(request, queue.simulation().node.faults),
    },
    ({ body: text, wire }) => {
      unanswered.remove()
      sendOn(peer, text, wire)
    },
  )
}

/** Tells each subscription that CometBFT has exited (`corrections-a.md` C18), before TCP closes. */
function sayGoodbye(queue: Queue, connection: number, peer: Peer): void {
  for (const one of subscriptionsOf(queue, connection)) peer.send(farewell(one, 'CometBFT exited'))
}

function subscriptionsOf(queue: Queue, connection: number): readonly CometSubscription[] {
  return queue.simulation().node.subscriptions.comet.get(connection) ?? []
}

/** Returns the subscription of an event; called only for slow readers. */
function subscriptionOf(queue: Queue, connection: number, text: string): CometSubscription | undefined {
  return subscriptionsOf(queue, connection).find((one) => text.startsWith(frameHead(one)))
}
