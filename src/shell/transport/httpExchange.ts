/** A request with the means to answer it. It was parsed by node:http, or by the front (`front/`). */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Headers } from './cors.ts'

/** The parts of a request that decide its response; `takeSession` shortens `url`. */
export type IncomingHead = Pick<
  IncomingMessage,
  'method' | 'url' | 'headers' | 'httpVersion' | 'httpVersionMajor' | 'httpVersionMinor' | 'socket'
>

/** A request that node:http has parsed. */
export type NodeExchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly front?: undefined
}

/** A request that the front has parsed. */
export type FrontExchange = { readonly request: IncomingHead; readonly front: Fronted }

export type HttpExchange = NodeExchange | FrontExchange

/** A request with a response of node:http, by whomever it was parsed. */
export type HttpAnswering = { readonly request: IncomingHead; readonly response: ServerResponse }

/** The operations of the front on a request. */
export type Fronted = {
  /** Sets a header of the response, before those of the reply. */
  readonly setHeader: (name: string, value: string) => void
  /** Sends an ordinary response. Returns false if it is not ordinary and needs `response`. */
  readonly send: (status: number, headers: Headers, body: string) => boolean
  /** Returns a response of node:http for the same connection; it is created at the first call. */
  readonly response: () => ServerResponse
  /** The size of the body in bytes, from `Content-Length`. */
  readonly bodyBytes: number
  /** Calls `done` with the body when all of it has been received. */
  readonly onBody: (done: (body: Buffer) => void) => void
  /** Gives the connection to node:http, which reads this request again from its first byte. */
  readonly handOver: () => void
}
