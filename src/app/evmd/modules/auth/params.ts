/** Parameters of x/auth, at key 0 of the store `acc`. */
import { AuthParams } from '../../../../codec/messages/cosmos.ts'
import type { Context } from '../../context.ts'

const key = Uint8Array.of(0)

/**
 * Returns the limits for memos and signatures, and the gas prices of signatures and bytes. As in
 * the SDK's keeper, all are 0 if never stored.
 */
export function authParams(context: Context): AuthParams {
  return AuthParams.decode(context.store('acc').get(key) ?? new Uint8Array(0))
}

/** Stores the parameters of x/auth. */
export function setAuthParams(context: Context, params: AuthParams): void {
  context.store('acc').set(key, AuthParams.encode(params))
}
