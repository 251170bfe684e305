/**
 * The gRPC listener. It loads Node's HTTP/2 at the first connection, because loading takes longer
 * than opening all other listeners.
 */
import { createServer, type Socket } from 'node:net'
import { admitAtMost } from '../transport/admission.ts'
import type { Server } from '../doors.ts'
import { lazily, notLoaded } from '../lazily.ts'
import type { GrpcServer } from './server.ts'
import type { GrpcOptions } from './stream.ts'

/** Maximum number of simultaneous connections. */
const connectionsMost = 1000

const loadServer = (options: GrpcOptions): Promise<GrpcServer> =>
  import('./server.ts').then(({ createGrpc }) => createGrpc(options))

/**
 * Returns the gRPC listener, which does not listen yet. A connection is closed and an error logged if
 * `load` fails.
 */
export function createGrpcDoor(options: GrpcOptions, load = loadServer): Server {
  const sockets = new Set<Socket>()
  const serving = lazily(() => load(options))
  const listener = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    void serving().then(
      (server) => {
        if (!socket.destroyed) server.emit('connection', socket)
      },
      (error: unknown) => {
        options.log('error', notLoaded('gRPC', error))
        socket.destroy()
      },
    )
  })
  const door = Object.assign(listener, {
    closeAllConnections: () => {
      for (const socket of sockets) socket.destroy()
    },
  })
  admitAtMost(door, connectionsMost)
  return door
}
