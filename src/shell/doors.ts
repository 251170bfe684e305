/** Listeners that a fault can close and later reopen on the same address. */
import type { AddressInfo, Server as NetServer } from 'node:net'
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

/** Resolves when servers and their connections are closed. */
export async function closeAll(servers: readonly Server[]): Promise<void> {
  await Promise.all(
    servers.map(
      (server) =>
        new Promise<void>((done) => {
          server.close(() => done())
          server.closeAllConnections()
        }),
    ),
  )
}
