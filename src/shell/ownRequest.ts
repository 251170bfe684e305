import type { RequestInput } from '../node/input.ts'

/** A request of this process without a client: an empty POST to Ethereum JSON-RPC over HTTP. */
export const ownRequest: RequestInput = {
  kind: 'request',
  side: 'eth',
  transport: 'http',
  verb: 'POST',
  target: '/',
  contentType: 'application/json',
  host: '127.0.0.1',
  origin: undefined,
  trusted: true,
  connection: undefined,
  body: '',
}
