/**
 * Timers end before sockets are read. After long work in this process (a breakpoint, a synchronous test),
 * a timer would therefore close connections on which a request waits, or on which a client of the same
 * process is about to send one.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** After so many turns of the event loop, a client of the same process has sent what it could send. */
const turns = 10

/** Calls `act` when the event loop has read the sockets several times. */
export function afterReading(act: () => void, left = turns): void {
  if (left === 0) act()
  else setImmediate(afterReading, act, left - 1)
}

/** Calls `act` unless the socket receives bytes meanwhile. */
export function ifStillSilent(socket: Socket, act: () => void): void {
  const { bytesRead } = socket
  afterReading(() => {
    if (socket.bytesRead === bytesRead) act()
  })
}

/** Makes a server close an idle connection only if it is still silent then. */
export function closeOnlySilent(server: Server): void {
  server.on('timeout', (socket) => ifStillSilent(socket, () => socket.destroy()))
}
