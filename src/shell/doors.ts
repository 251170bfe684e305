/** Listeners that a fault may take away for a while, and give back on the same address. */
import type { AddressInfo, Server as NetServer } from 'node:net'
import type { Listening } from '../node/output.ts'

/** A server whose connections can all be ended at once. */
export type Server = NetServer & { readonly closeAllConnections: () => void }

export type Doors = {
  /** Takes a server that listens. */
  readonly add: (serves: Listening, server: Server) => void
  /** Says which kinds are to be closed; all the others are open. */
  readonly close: (kinds: readonly Listening[]) => void
}

type Door = {
  readonly serves: Listening
  readonly server: Server
  readonly address: AddressInfo | string | null
}

/** Returns the doors of a program; `failed` hears of one that could not be opened again. */
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
