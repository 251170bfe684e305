/**
 * Sends the responses of one round of the event loop together, after its requests. A write wakes its client,
 * which takes as long as a short `eth_call`; a client that is awake reads further responses for less.
 */
import { performance } from 'node:perf_hooks'
import type { Socket } from 'node:net'

/** A response is not held while a further request is served if it has waited longer than this. */
const heldMostMs = 1

let held: Socket[] = []
let sinceMs = 0

/** Holds what is written to a socket from now on, until `sendHeld`, which happens in this round. */
export function holdResponse(socket: Socket): void {
  if (held.length === 0) {
    sinceMs = performance.now()
    setImmediate(sendHeld)
  }
  held.push(socket)
  socket.cork()
}

/** Sends all held responses, before work that is not a short request, such as a slice of a long mining job. */
export function sendHeld(): void {
  const sockets = held
  held = []
  for (const socket of sockets) socket.uncork()
}

/** Sends all held responses if the first of them has waited for long, before a further request. */
export function sendLongHeld(): void {
  if (held.length > 0 && performance.now() - sinceMs > heldMostMs) sendHeld()
}
