/**
 * The front reads requests in their most common form from the socket and writes their responses to it,
 * at a third of the cost of node:http. As soon as a connection sends anything else, node:http takes over
 * the connection, from the first byte of that request.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpExchange } from '../httpExchange.ts'
import { FrontConnection } from './connection.ts'
import { createHeadReader } from './requestHead.ts'

/** Puts the front before a server that does not listen yet. `listener` serves the requests of the front. */
export function putFront(server: Server, listener: (exchange: HttpExchange) => void): void {
  const serve = server.listeners('connection')
  const readHead = createHeadReader()
  const open = new Set<FrontConnection>()
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const connection = new FrontConnection(socket, {
      readHead,
      listener,
      headersTimeoutMs: server.headersTimeout,
      requestTimeoutMs: server.requestTimeout,
      keepAliveTimeoutMs: server.keepAliveTimeout,
      onLeft: () => open.delete(connection),
      passOn: () => {
        for (const one of serve) one.call(server, socket)
      },
    })
    open.add(connection)
  })
  const closeAll = server.closeAllConnections.bind(server)
  const closeIdle = server.closeIdleConnections.bind(server)
  server.closeAllConnections = () => {
    for (const connection of open) connection.destroy(false)
    closeAll()
  }
  server.closeIdleConnections = () => {
    for (const connection of open) connection.destroy(true)
    closeIdle()
  }
}
