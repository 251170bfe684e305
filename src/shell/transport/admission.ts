import type { Server, Socket } from 'node:net'

type Limited = Server & { closeAllConnections: () => void }

/** The default length of the queue in which Linux keeps connections that a program does not accept. */
const backlog = 4096

/**
 * Limits a server to `most` connections at a time (0 is unlimited). Further connections wait unread
 * until one closes, as in the accept backlog behind Go's limiting listener. Node cannot stop accepting,
 * so they wait here: at most `waitingMost`, beyond which new ones are closed. They end with the
 * listener and with `closeAllConnections`. Node's own `maxConnections` would close all of them.
 */
export function admitAtMost(server: Limited, most: number, waitingMost = backlog): void {
  if (most === 0) return
  const serve = server.listeners('connection')
  const closeAll = server.closeAllConnections.bind(server)
  const waiting = new Set<Socket>()
  const admitted = new WeakSet<Socket>()
  let served = 0
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    // The server emits a connection again after its upgrade was ignored.
    if (admitted.has(socket)) serveNow(socket)
    else if (served < most) admit(socket)
    else if (waiting.size < waitingMost) wait(socket)
    else socket.destroy()
  })
  server.closeAllConnections = () => {
    endWaiting()
    closeAll()
  }

  function wait(socket: Socket): void {
    socket.pause()
    waiting.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => waiting.delete(socket))
  }

  function endWaiting(): void {
    for (const socket of waiting) socket.destroy()
    waiting.clear()
  }

  function admit(socket: Socket): void {
    served += 1
    admitted.add(socket)
    socket.once('close', () => {
      served -= 1
      admitNext()
    })
    serveNow(socket)
    if (socket.isPaused()) socket.resume()
  }

  function admitNext(): void {
    if (!server.listening) return endWaiting()
    for (const socket of waiting) {
      waiting.delete(socket)
      if (!socket.destroyed) return admit(socket)
    }
  }

  function serveNow(socket: Socket): void {
    for (const listener of serve) listener.call(server, socket)
  }
}
