/** A proxy between clients and a real node. */
import type { TapLine, TapInterface } from '../../recording/playback/tapLine.ts'
import type { Upstreams } from './upstream.ts'

export type ProxyOptions = {
  readonly upstreams: Upstreams
  /** Where to listen: HOST:PORT. */
  readonly where: {
    readonly comet: string
    readonly eth: string
    readonly ethWs: string | undefined
    readonly rest?: string
    readonly grpc?: string
  }
  /** Told of every exchange before its client is. */
  readonly note: (line: TapLine) => void
  readonly log: (text: string) => void
  /** Whether transactions are passed on; without it, to nodes on this machine. */
  readonly mayWrite?: boolean
}

/** What the listeners of one proxy share. */
export type Passing = {
  readonly iface: TapInterface
  readonly upstream: URL | undefined
  readonly upstreamWs: URL | undefined
  readonly note: ProxyOptions['note']
  readonly log: ProxyOptions['log']
  readonly mayWrite: boolean
  /** In ms since the start. */
  readonly nowMs: () => number
  readonly connection: () => number
}
