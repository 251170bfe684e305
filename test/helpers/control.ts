/** The control API as its users call it: fetch and JSON. */
import { post } from './raw.ts'
import { startLocal } from './server.ts'
import type { Server, StartOptions } from '../../src/index.ts'

export type Told = { readonly status: number; readonly body: any }

/** Starts a chain with a control port. Dispose of it with `await using`. */
export function startControlled(settings: StartOptions['settings'] = {}): Promise<Server> {
  return startLocal({ controlAddress: '127.0.0.1:0', ...settings })
}

/** Asks the API of a running chain; `path` is below /api. */
export async function api(
  server: Server,
  path: string,
  body?: unknown,
  verb = body === undefined ? 'GET' : 'POST',
): Promise<Told> {
  const answer = await fetch(`${server.urls.control}/api${path}`, {
    method: verb,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as unknown }
}

/** Returns the result of a call of Ethereum JSON-RPC; throws its error. */
export async function rpc(url: string, method: string, ...params: readonly unknown[]): Promise<unknown> {
  const { result, error } = (await post(url, { jsonrpc: '2.0', id: 1, method, params })) as {
    result?: unknown
    error?: unknown
  }
  if (error !== undefined) throw new Error(JSON.stringify(error))
  return result
}
