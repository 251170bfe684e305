import type { Side } from '../../settings/side.ts'

/**
 * CometBFT RPC (`a`), Ethereum JSON-RPC (`b`), the REST API (`c`) and gRPC (`g`, messages in
 * base64).
 */
export type TapInterface = 'a' | 'b' | 'c' | 'g'

const sides: Readonly<Record<TapInterface, Side>> = { a: 'comet', b: 'eth', c: 'rest', g: 'grpc' }

/** Returns the side of an exchange's interface. */
export function sideOfTap(iface: TapInterface): Side {
  return sides[iface]
}

/**
 * One exchange of raw traffic in the format `tap/1`. `t` is its arrival in ms since the start,
 * `ws-in` goes from client to node, and bodies are raw text. `head` is a height that the recorder
 * itself saw.
 */
export type TapLine = {
  readonly n?: number
  readonly t: number
  readonly iface: TapInterface
  readonly kind: string
  readonly conn: number
  readonly method?: string
  readonly path?: string
  readonly req?: string
  readonly status?: number
  /** The header that selects the height of the state, on the REST API and gRPC. */
  readonly at?: string
  /** A service refused the call before its handler ran, so it sent no metadata. */
  readonly isEarly?: true
  readonly headers?: Readonly<Record<string, string>>
  readonly res?: string
  readonly text?: string
  readonly ms?: number
  readonly height?: number
}

/**
 * Returns whether a line is a request, with its response if it came over HTTP. Other lines are heights,
 * events, and connections that open and close. A batch is one request.
 */
export function isExchange({ kind }: Pick<TapLine, 'kind'>): boolean {
  return kind === 'http' || kind === 'ws-in'
}
