/** Which listeners a chain opens, and their addresses. */
import type { Listening } from '../node/output.ts'
import type { Settings } from '../settings/settings.ts'
import { plannedUrl } from './listen.ts'

/** The URL of the first listener of each kind, or '' if there is none. */
export type Urls = {
  readonly comet: string
  readonly cometWs: string
  readonly eth: string
  readonly ethWs: string
  readonly rest: string
  /** HOST:PORT, that of the main chain for sessions too: calls name a session in their metadata. */
  readonly grpc: string
  readonly control: string
  /** Metrics of the main chain and the process, for Prometheus. */
  readonly metrics: string
}

/** One open listener, and what it serves. */
export type Listener = {
  readonly url: string
  readonly serves: Listening | 'control' | 'metrics'
}

export type Door = { readonly serves: Exclude<Listening, 'grpc'>; readonly where: string }

/** Only the Cosmos EVM application has something to serve on the other interfaces than CometBFT's. */
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
 * Returns the addresses of a chain. Those of a session lie below the main chain's, except for gRPC:
 * its clients connect to HOST:PORT alone, so they send the metadata `x-chainstage-session: NAME`.
 */
export function urlsOf(listeners: readonly Listener[], session = ''): Urls {
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

/** Returns whether a chain of these settings opens a gRPC port. */
export function servesGrpc({ grpcEnable, grpcAddress, application }: Settings): boolean {
  return grpcEnable && grpcAddress !== '' && application === 'evmd'
}

/** Returns the addresses that a chain of these settings would have; none for ports of 0. */
export function plannedUrls(settings: Settings): Urls {
  const hasTls = settings.tlsCertFile !== '' && settings.tlsKeyFile !== ''
  const grpc = servesGrpc(settings) ? [{ serves: 'grpc', where: settings.grpcAddress } as const] : []
  return urlsOf(
    [...doorsOf(settings), ...grpc].flatMap(({ serves, where }) => {
      const url = plannedUrl(where, serves === 'comet' && hasTls ? 'https' : 'http')
      return url === undefined ? [] : [{ serves, url }]
    }),
  )
}
