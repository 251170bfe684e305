/**
 * Timers end before sockets are read. After long work in this process (a breakpoint, a synchronous test),
 * a request may wait on a connection whose time is over. A client of the same process has had no time to
 * send one. So the decision to close waits until the sockets have been read.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Within so many turns of the event loop, a client of the same process sends what it has to send. */
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

/** Makes a server close an idle connection only after that. */
export function closeOnlySilent(server: Server): void {
  server.on('timeout', (socket) => ifStillSilent(socket, () => socket.destroy()))
}
