/**
 * The two forms of `abci_info`: the documented one, which only GET returns, and the one on the wire
 * (design §3, `comet-rpc.md` §8.1).
 */
import { hasQuirk } from '../../settings/quirks.ts'
import type { Settings } from '../../settings/settings.ts'
import type { RpcErrorShape } from '../dialect.ts'
import type { Framed } from '../transport.ts'
import { jsonResponse } from './envelope.ts'

/** Returns whether a transport uses the documented form; `--abci-info` forces one form on all. */
export function isDocumented(settings: Settings, transport: 'uri' | 'post' | 'ws'): boolean {
  if (hasQuirk(settings, 'abci-info-wire') || settings.abciInfo === 'wire') return false
  return settings.abciInfo === 'documented' || transport === 'uri'
}

/** Returns the documented failure: status 500 with a text as its error. */
export function documentedFailure({ data, message }: RpcErrorShape): Framed {
  const body = `{"jsonrpc":"2.0","id":-1,"error":${data ?? JSON.stringify(message)}}`
  return jsonResponse(500, body, false)
}
