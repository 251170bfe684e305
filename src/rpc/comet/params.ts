/** Parameters that several methods of interface A share; all of them may be left out. */
import { base64, bool, int, int64, pointer, string, type CometCodec } from '../../codec/comet.ts'
import { param, type Param } from '../method.ts'

/** Declares a parameter of interface A: absent means the zero value of its Go type. */
export function cometParam<Value>(name: string, codec: CometCodec<Value>): Param<Value> {
  return param(name, codec, codec.absent())
}

export const heightParam = cometParam('height', pointer(int64))
export const pageParam = cometParam('page', pointer(int))
export const perPageParam = cometParam('per_page', pointer(int))
export const orderParam = cometParam('order_by', string)
export const queryParam = cometParam('query', string)
export const proveParam = cometParam('prove', bool)
export const hashParam = cometParam('hash', base64())
export const txParam = cometParam('tx', base64('types.Tx'))
