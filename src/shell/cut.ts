import type { Socket } from 'node:net'

/**
 * Breaks a TCP connection with a reset. `resetAndDestroy` says goodbye first, which a client may take
 * for an ordinary end; marked this way, `destroy` resets at once (or closes, should node forget it).
 */
export function cut(socket: Socket): void {
  Object.assign(socket, { resetAndClosing: socket.remoteAddress !== undefined })
  socket.destroy()
}
