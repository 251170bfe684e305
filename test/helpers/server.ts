/** Servers for tests: in this process, over real sockets, on free ports of loopback. */
import { start, type Server, type StartOptions } from '../../src/index.ts'

export const freePorts = {
  rpcLaddr: 'tcp://127.0.0.1:0',
  ethAddress: '127.0.0.1:0',
  ethWsAddress: '127.0.0.1:0',
  apiAddress: '127.0.0.1:0',
  grpcAddress: '127.0.0.1:0',
  controlAddress: '',
  prometheusAddress: '127.0.0.1:0',
} as const

/** Starts a chain of the profile `local`. Dispose of it with `await using`. */
export function startLocal(settings: StartOptions['settings'] = {}): Promise<Server> {
  return start({ settings: { ...freePorts, ...settings } })
}

/** Resolves when the condition holds; fails after thirty seconds. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 3000; tries++) {
    if (await holds()) return
    await new Promise((done) => {
      setTimeout(done, 10)
    })
  }
  throw new Error('it did not happen within thirty seconds')
}

/** The chain as viem wants to know it. */
export function chainOf(url: string) {
  return {
    id: 31337,
    name: 'chainstage',
    nativeCurrency: { name: 'Test', symbol: 'TEST', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  } as const
}

/**
 * Resolves when no WebSocket is open any more: clients whose server goes first try to come back.
 */
export function allGone(server: Server): Promise<void> {
  return eventually(() => server.simulation().node.connections.size === 0)
}
