/**
 * Timers end before sockets and threads are read. After long work in this process, such as a synchronous
 * test, a request may wait on a connection whose time is over. A client of the same process has had no time
 * to send one. So the decision to give up waits until the process has read what came.
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

/** A wait has so many parts, each of which ends with one turn of the event loop. */
const parts = 100

/**
 * Calls `act` when this process has waited for `ms` milliseconds, and returns a function that cancels it. Other
 * work in between, however long, counts as a hundredth of the wait at most.
 */
export function afterWaiting(act: () => void, ms: number): () => void {
  const eachMs = Math.max(1, Math.ceil(ms / parts))
  let left = Math.ceil(ms / eachMs)
  const timer = setInterval(() => {
    left -= 1
    if (left > 0) return
    clearInterval(timer)
    act()
  }, eachMs).unref()
  return () => clearInterval(timer)
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
