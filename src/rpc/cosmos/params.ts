/** What every method of a service takes: its request's bytes and the header with a height. */
import type { Codec } from '../../codec/codec.ts'
import { inRole, param, type Param } from '../method.ts'

const taken: Codec<never> = {
  schema: { type: 'object' },
  encode: never,
  decode: never,
}

/** The dialect takes them from the call as they are (`dialect.ts`). */
export const callParams: readonly [Param<Uint8Array>, Param<string>] = [
  param('request', taken),
  inRole('state', param('height', taken)),
]

function never(): never {
  throw new TypeError('the parameters of services are not read as JSON')
}
