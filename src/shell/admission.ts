import type { Server, Socket } from 'node:net'

/**
 * Limits a server to `most` connections at a time (0 is unlimited). Further connections wait unread
 * until one closes, as in the accept backlog behind Go's limiting listener. Node's own
 * `maxConnections` would close them.
 */
export function admitAtMost(server: Server, most: number): void {
  if (most === 0) return
  const serve = server.listeners('connection')
  const waiting: Socket[] = []
  const admitted = new WeakSet<Socket>()
  let served = 0
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    // The server emits a connection again after its upgrade was ignored.
    if (admitted.has(socket)) return serveNow(socket)
    if (served < most) return admit(socket)
    socket.pause()
    waiting.push(socket)
    socket.on('error', () => {})
  })

  function admit(socket: Socket): void {
    served += 1
    admitted.add(socket)
    socket.once('close', () => {
      served -= 1
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        if (!next.destroyed) return admit(next)
      }
    })
    serveNow(socket)
    if (socket.isPaused()) socket.resume()
  }

  function serveNow(socket: Socket): void {
    for (const listener of serve) listener.call(server, socket)
  }
}
