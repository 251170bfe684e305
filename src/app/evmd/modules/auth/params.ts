/** Parameters of x/auth, at key 0 of the store `acc`. */
import { AuthParams } from '../../../../codec/messages/cosmos.ts'
import type { Context } from '../../context.ts'

const key = Uint8Array.of(0)

/**
 * Returns the parameters that limit memos and signatures and price signatures and bytes: zeros
 * where there are none yet, as the SDK's keeper does.
 */
export function authParams(context: Context): AuthParams {
  return AuthParams.decode(context.store('acc').get(key) ?? new Uint8Array(0))
}

/** Stores the parameters. */
export function setAuthParams(context: Context, params: AuthParams): void {
  context.store('acc').set(key, AuthParams.encode(params))
}
