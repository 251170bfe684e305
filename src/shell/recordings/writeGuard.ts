/** Blocks transactions to nodes on other machines, unless allowed (`mocks.md` §4.10). */
import { itemTexts, memberTexts } from '../../recording/playback/slice.ts'
import { maySubmit } from '../../rpc/anyMethod.ts'
import { isLoopbackHost } from '../hosts.ts'
import type { Upstreams } from './upstream.ts'

export const refusedText = 'chainstage: this request would change the node; use --allow-writes to forward it'

/**
 * Returns whether transactions may be sent: always to nodes on this machine, and to others if
 * allowed.
 */
export function mayWrite(upstreams: Upstreams, isAllowed: boolean): boolean {
  const given = Object.values(upstreams).filter((url) => url !== undefined)
  return isAllowed || given.every((url) => isLoopbackHost(url.host))
}

/** Returns whether a method may submit a transaction. */
export function isWrite(method: string): boolean {
  return maySubmit(method)
}

/**
 * Returns the error response to a request that contains a blocked transaction; undefined for any
 * other request.
 */
export function writeRefusal({
  method,
  path,
  body,
}: {
  readonly method: string
  readonly path: string
  readonly body: string
}): string | undefined {
  const [route = ''] = path.split('?')
  if (method === 'POST' && route === '/cosmos/tx/v1beta1/txs') {
    return `{"code":7, "message":${JSON.stringify(refusedText)}, "details":[]}`
  }
  if (method === 'GET') {
    return isWrite(route.slice(route.lastIndexOf('/') + 1)) ? errorText('-1') : undefined
  }
  const text = body.trim()
  const messages = (text.startsWith('[') ? itemTexts(text) : [text]).map(memberTexts)
  const isRefused = messages.some((one) => isWrite((one.get('method') ?? '').replaceAll('"', '')))
  if (!isRefused) return undefined
  const errors = messages.map((one) => errorText(one.get('id') ?? 'null'))
  return text.startsWith('[') ? `[${errors.join(',')}]` : errors[0]
}

/** Returns an error response with a code that clients do not retry. */
function errorText(id: string): string {
  return `{"jsonrpc":"2.0","id":${id},"error":{"code":-32071,"message":${JSON.stringify(refusedText)}}}`
}
