/** The options of a proxy between clients and a real node. */
import type { TapLine, TapInterface } from '../../recording/playback/tapLine.ts'
import type { Upstreams } from './upstream.ts'

export type ProxyOptions = {
  readonly upstreams: Upstreams
  /** The addresses to listen on, as HOST:PORT. */
  readonly where: {
    readonly comet: string
    readonly eth: string
    readonly ethWs: string | undefined
    readonly rest?: string
    readonly grpc?: string
  }
  /** Receives every exchange before the client gets the response; it never throws. */
  readonly note: (line: TapLine) => void
  readonly log: (text: string) => void
  /** Called for each request that the node did not answer, or answered with nothing to record. */
  readonly unheard?: () => void
  /** Allows transactions to all nodes; otherwise only nodes on this machine receive them. */
  readonly mayWrite?: boolean
}

/** The state that all listeners of a proxy share, and the interface of one. */
export type Passing = {
  readonly iface: TapInterface
  readonly upstream: URL | undefined
  readonly upstreamWs: URL | undefined
  readonly note: ProxyOptions['note']
  readonly log: ProxyOptions['log']
  readonly unheard: ProxyOptions['unheard']
  readonly mayWrite: boolean
  /** Returns the time in ms since the start. */
  readonly nowMs: () => number
  readonly connection: () => number
  /** Logs, once for each reason, that responses are not recorded. */
  readonly unkept: (iface: TapInterface, why: string) => void
}
