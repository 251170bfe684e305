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

/**
 * Starts a chain that keeps some of its newest blocks, at least three: its evidence is too old after
 * one. Its modules remember the headers and hashes of as many.
 */
export async function startPruning(blocks: number, settings: StartOptions['settings'] = {}): Promise<Server> {
  await using server = await startLocal()
  const { result } = (await (await fetch(`${server.urls.comet}/genesis`)).json()) as { result: { genesis: Genesis } }
  const { genesis } = result
  const evidence = { max_age_num_blocks: '1', max_age_duration: '1', max_bytes: '1048576' }
  const { staking, evm } = genesis.app_state
  const app_state = {
    ...genesis.app_state,
    staking: { ...staking, params: { ...staking.params, historical_entries: blocks } },
    evm: { ...evm, params: { ...evm.params, history_serve_window: String(blocks) } },
  }
  return start({
    genesis: JSON.stringify({ ...genesis, app_state, consensus_params: { ...genesis.consensus_params, evidence } }),
    settings: { ...freePorts, minRetainBlocks: blocks, ...settings },
  })
}

type Genesis = {
  readonly consensus_params: { readonly evidence: object }
  readonly app_state: Readonly<Record<'staking' | 'evm', { readonly params?: object }>>
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
