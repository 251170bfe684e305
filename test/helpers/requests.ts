/** Requests as the shell enters them. */
import type { RequestInput } from '../../src/node/input.ts'
import { ownRequest } from '../../src/shell/ownRequest.ts'

/** Returns a POST request over HTTP, by default an empty one to Ethereum JSON-RPC. */
export function requestWith(given: Partial<RequestInput> = {}): RequestInput {
  return {
    ...ownRequest,
    transport: given.connection === undefined ? 'http' : 'ws',
    ...given,
  }
}

/** Returns the call of a method with the id 1. */
export function callOf(method: string, params: unknown = [], given: Partial<RequestInput> = {}): RequestInput {
  return requestWith({ ...given, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) })
}

/** Returns a POST request to CometBFT RPC over HTTP, by default an empty one. */
export function cometRequest(given: Partial<RequestInput> = {}): RequestInput {
  return requestWith({ side: 'comet', ...given })
}
