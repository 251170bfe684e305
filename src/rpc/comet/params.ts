/** Parameters that several methods of CometBFT RPC share; all are optional. */
import { base64, bool, int, int64, pointer, string, type CometCodec } from '../../codec/comet.ts'
import { param, type Described, type Param } from '../method.ts'

/**
 * Declares a parameter of CometBFT RPC; if absent it has the zero value of its Go type. `described`
 * holds facts about its value.
 */
export function cometParam<Value>(name: string, codec: CometCodec<Value>, described: Described = {}): Param<Value> {
  return { ...param(name, codec, codec.absent()), ...described }
}

export const heightParam = cometParam('height', pointer(int64), { role: 'block', unset: '0' })
export const pageParam = cometParam('page', pointer(int), { unset: '1' })
export const perPageParam = cometParam('per_page', pointer(int), { unset: '30' })
export const orderParam = cometParam('order_by', string, { unset: 'asc' })
export const newestFirstParam = cometParam('order_by', string, { unset: 'desc' })
export const queryParam = cometParam('query', string, { role: 'query' })
export const proveParam = cometParam('prove', bool, { unset: 'false' })
export const blockHashParam = cometParam('hash', base64(), { role: 'blockHash', bytes: 'base64' })

export const txHashParam = cometParam('hash', base64(), { role: 'txHash', bytes: 'base64' })
export const txParam = cometParam('tx', base64('types.Tx'), { bytes: 'base64' })
