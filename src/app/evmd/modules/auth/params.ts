/** Parameters of x/auth, at key 0 of the store `acc`. */
import { AuthParams } from '../../../../codec/protobuf/cosmos.ts'
import { assert } from '../../../../errors.ts'
import type { Context } from '../../context.ts'

const key = Uint8Array.of(0)

/** Returns the parameters that limit memos and signatures and price signatures and bytes. */
export function authParams(context: Context): AuthParams {
  const value = context.store('acc').get(key)
  assert(value !== undefined, 'x/auth has no parameters')
  return AuthParams.decode(value)
}

/** Stores the parameters. */
export function setAuthParams(context: Context, params: AuthParams): void {
  context.store('acc').set(key, AuthParams.encode(params).finish())
}
