/** A TCP proxy whose line can be cut: connections stay open, and nothing passes any more. */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type CuttingProxy = {
  readonly url: string
  /** Swallows everything from now on, new connections too. */
  readonly cut: () => void
  /** Ends what was swallowed, and lets new connections through. */
  readonly join: () => void
}

/** Resolves with a proxy before a port of this machine. */
export async function cuttingProxy(port: number): Promise<CuttingProxy> {
  let isCut = false
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    const pass = (from: Socket, to: Socket) => {
      sockets.add(from)
      from.on('data', (part) => {
        if (!isCut) to.write(part)
      })
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
    pass(near, far)
    pass(far, near)
  }).listen(0, '127.0.0.1')
  server.unref()
  await once(server, 'listening')
  return {
    url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      isCut = true
    },
    join: () => {
      for (const socket of sockets) socket.destroy()
      isCut = false
    },
  }
}
