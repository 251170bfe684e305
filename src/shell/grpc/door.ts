/**
 * The gRPC listener. It loads Node's HTTP/2 at the first connection, because loading takes longer
 * than opening all other listeners.
 */
import { createServer, type Socket } from 'node:net'
import { admitAtMost } from '../admission.ts'
import type { Server } from '../doors.ts'
import type { GrpcServer } from './server.ts'
import type { GrpcOptions } from './stream.ts'

/** Maximum number of simultaneous connections. */
const connectionsMost = 1000

/** Returns the gRPC listener, which does not listen yet. */
export function createGrpcDoor(options: GrpcOptions): Server {
  const sockets = new Set<Socket>()
  let serving: Promise<GrpcServer> | undefined
  const listener = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    serving ??= import('./server.ts').then(({ createGrpc }) => createGrpc(options))
    void serving.then((server) => {
      if (!socket.destroyed) server.emit('connection', socket)
    })
  })
  const door = Object.assign(listener, {
    closeAllConnections: () => {
      for (const socket of sockets) socket.destroy()
    },
  })
  admitAtMost(door, connectionsMost)
  return door
}
