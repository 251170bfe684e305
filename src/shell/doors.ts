/** Listeners that a fault can close and later reopen on the same address. */
import type { AddressInfo, Server as NetServer, Socket } from 'node:net'
import type { Listening } from '../node/output.ts'

/** A server whose connections can all be ended at once. */
export type Server = NetServer & { readonly closeAllConnections: () => void }

export type Doors = {
  /** Adds a listening server. */
  readonly add: (serves: Listening, server: Server) => void
  /** Closes the listeners of these kinds and opens all others. */
  readonly close: (kinds: readonly Listening[]) => void
}

type Door = {
  readonly serves: Listening
  readonly server: Server
  readonly address: AddressInfo | string | null
}

/** Returns the listeners of a program; `failed` is called when one cannot be reopened. */
export function createDoors(failed: (error: Error) => void): Doors {
  const doors: Door[] = []
  return {
    add: (serves, server) => {
      doors.push({ serves, server, address: server.address() })
    },
    close: (kinds) => {
      for (const { serves, server, address } of doors) {
        const isWanted = !kinds.includes(serves)
        if (isWanted === server.listening) continue
        if (isWanted) open(server, address, failed)
        else {
          server.close()
          server.closeAllConnections()
        }
      }
    },
  }
}

function open(server: Server, address: Door['address'], failed: (error: Error) => void): void {
  server.once('error', failed)
  const done = () => {
    server.off('error', failed)
  }
  if (typeof address === 'string') server.listen(address, done)
  else if (address !== null) server.listen(address.port, address.address, done)
}

export type Servers = {
  /** Adds a server before it listens. */
  readonly add: (server: Server) => void
  /** Resolves when all servers and their connections are closed. */
  readonly close: () => Promise<void>
}

/** The longest time in which connections end by themselves, in milliseconds. */
const endingMs = 1000

/**
 * Returns an empty set of servers. Node's servers do not know all their connections: not those that are in
 * a TLS handshake, nor upgraded ones. At a close, those are cut after a second.
 */
export function createServers(): Servers {
  const servers: Server[] = []
  const sockets = new Set<Socket>()
  return {
    add: (server) => {
      servers.push(server)
      server.on('connection', (socket: Socket) => {
        // The server emits a connection again after its upgrade was ignored.
        if (sockets.has(socket)) return
        sockets.add(socket)
        socket.once('close', () => sockets.delete(socket))
      })
    },
    close: async () => {
      const cutting = setTimeout(() => {
        for (const socket of sockets) socket.destroy()
      }, endingMs)
      await Promise.all(servers.map(closed))
      clearTimeout(cutting)
    },
  }
}

function closed(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done())
    server.closeAllConnections()
  })
}
