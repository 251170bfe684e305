import type { Server, Socket } from 'node:net'

/**
 * Lets at most `most` connections of a server be served at one time (0 is unlimited). Those beyond
 * wait unread until one closes, as in the accept backlog behind Go's limiting listener: node's own
 * `maxConnections` would hang up on them.
 */
export function admitAtMost(server: Server, most: number): void {
  if (most === 0) return
  const serve = server.listeners('connection')
  const waiting: Socket[] = []
  const admitted = new WeakSet<Socket>()
  let served = 0
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    // A connection whose upgrade was ignored comes a second time.
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
