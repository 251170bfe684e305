/** The listeners of a chain and their addresses. */
import type { Listening } from '../node/output.ts'
import type { Settings } from '../settings/settings.ts'
import { plannedUrl } from './transport/listen.ts'

/** The URL of the first listener of each kind, or '' if there is none. */
export type Urls = {
  readonly comet: string
  readonly cometWs: string
  readonly eth: string
  readonly ethWs: string
  readonly rest: string
  /** HOST:PORT, the same for all sessions: calls select a session in their metadata. */
  readonly grpc: string
  readonly control: string
  /** Metrics of the main chain and the process, for Prometheus. */
  readonly metrics: string
}

/** An open listener and the interface that it serves. */
export type Listener = {
  readonly url: string
  readonly serves: Listening | 'control' | 'metrics'
}

export type Door = { readonly serves: Exclude<Listening, 'grpc'>; readonly where: string }

/** Returns the listeners to open; only the Cosmos EVM application has more than CometBFT RPC. */
export function doorsOf({
  rpcLaddr,
  ethEnable,
  ethAddress,
  ethWsAddress,
  apiEnable,
  apiAddress,
  application,
}: Settings): readonly Door[] {
  const comet = rpcLaddr.split(',').map((where) => ({ serves: 'comet', where: where.trim() }) as const)
  const isEvmd = application === 'evmd'
  const rest = isEvmd && apiEnable ? ([{ serves: 'rest', where: apiAddress }] as const) : []
  const eth =
    isEvmd && ethEnable
      ? ([
          { serves: 'eth', where: ethAddress },
          { serves: 'ethWs', where: ethWsAddress },
        ] as const)
      : []
  return [...comet, ...eth, ...rest].filter(({ where }) => where !== '')
}

/**
 * Returns the addresses of a chain. The addresses of a session are below those of the main chain.
 * gRPC clients connect to a plain HOST:PORT, so they send the metadata
 * `x-chainstage-session: NAME` instead.
 */
export function listenerUrls(listeners: readonly Listener[], session = ''): Urls {
  const below = session === '' ? '' : `/s/${session}`
  const first = (kind: Listener['serves'], path = '') => {
    const url = listeners.find(({ serves }) => serves === kind)?.url
    return url === undefined ? '' : `${url}${below}${path}`
  }
  const socket = (url: string) => url.replace(/^http/, 'ws')
  return {
    comet: first('comet'),
    cometWs: socket(first('comet', '/websocket')),
    eth: first('eth'),
    ethWs: socket(first('ethWs')),
    rest: first('rest'),
    grpc: listeners.find(({ serves }) => serves === 'grpc')?.url.replace(/^http:\/\//, '') ?? '',
    control: first('control'),
    metrics: listeners.find(({ serves }) => serves === 'metrics')?.url ?? '',
  }
}

/** Returns whether a chain with these settings opens a gRPC port. */
export function servesGrpc({ grpcEnable, grpcAddress, application }: Settings): boolean {
  return grpcEnable && grpcAddress !== '' && application === 'evmd'
}

/** Returns the addresses that a chain with these settings would have, except for ports of 0. */
export function plannedUrls(settings: Settings): Urls {
  const hasTls = settings.tlsCertFile !== '' && settings.tlsKeyFile !== ''
  const grpc = servesGrpc(settings) ? [{ serves: 'grpc', where: settings.grpcAddress } as const] : []
  return listenerUrls(
    [...doorsOf(settings), ...grpc].flatMap(({ serves, where }) => {
      const url = plannedUrl(where, serves === 'comet' && hasTls ? 'https' : 'http')
      return url === undefined ? [] : [{ serves, url }]
    }),
  )
}
