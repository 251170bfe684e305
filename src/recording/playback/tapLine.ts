import type { Side } from '../../settings/side.ts'

/** CometBFT RPC, Ethereum JSON-RPC, the REST API, and gRPC, whose messages are in base64. */
export type TapInterface = 'a' | 'b' | 'c' | 'g'

const sides: Readonly<Record<TapInterface, Side>> = { a: 'comet', b: 'eth', c: 'rest', g: 'grpc' }

/** Returns the side that an exchange is of. */
export function sideOfTap(iface: TapInterface): Side {
  return sides[iface]
}

/**
 * One exchange of raw traffic as `tap/1` writes it: `t` is ms since the start when it arrived,
 * `ws-in` is from client to node, bodies are raw text. `head` is a height that the recorder itself
 * saw.
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
  /** The header that named the state to ask, of the REST API and gRPC. */
  readonly at?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly res?: string
  readonly text?: string
  readonly ms?: number
  readonly height?: number
}
