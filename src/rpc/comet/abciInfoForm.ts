/**
 * Which of its two forms `abci_info` has: the documented one, which only GET shows, or the real
 * wire's (design §3, `comet-rpc.md` §8.1).
 */
import { hasQuirk } from '../../settings/quirks.ts'
import type { Settings } from '../../settings/settings.ts'
import type { RpcErrorShape } from '../dialect.ts'
import type { Framed } from '../transport.ts'
import { jsonResponse } from './envelope.ts'

/**
 * Returns whether a transport answers as documented; `--abci-info` forces one form on all of them.
 */
export function isDocumented(settings: Settings, transport: 'uri' | 'post' | 'ws'): boolean {
  if (hasQuirk(settings, 'abci-info-wire') || settings.abciInfo === 'wire') return false
  return settings.abciInfo === 'documented' || transport === 'uri'
}

/** Returns the documented failure: status 500 and an error that is a text. */
export function documentedFailure({ data, message }: RpcErrorShape): Framed {
  const body = `{"jsonrpc":"2.0","id":-1,"error":${data ?? JSON.stringify(message)}}`
  return jsonResponse(500, body, false)
}
