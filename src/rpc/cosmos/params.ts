/** The parameters of every service method: the encoded request and the height header. */
import type { Codec } from '../../codec/codec.ts'
import { inRole, param, type Param } from '../method.ts'

const taken: Codec<never> = {
  schema: { type: 'object' },
  encode: never,
  decode: never,
}

/** The dialect passes them on from the call unchanged (`dialect.ts`). */
export const callParams: readonly [Param<Uint8Array>, Param<string>] = [
  param('request', taken),
  inRole('state', param('height', taken)),
]

function never(): never {
  throw new TypeError('parameters of services are never decoded from JSON')
}
