/** The constants of a node: application, engine and keys. */
import type { ChainWorld } from '../chain/chain.ts'
import type { Random } from '../data/random.ts'
import type { Scripts } from '../evm/scripts/engine.ts'
import type { Settings } from '../settings/settings.ts'

/**
 * `keyring` holds the keys the node signs with (`eth_sendTransaction`, `personal_*`), in the order
 * of `eth_accounts`.
 */
export type World = ChainWorld & {
  readonly keyring: readonly NodeKey[]
  readonly version: string
  /** Random draws keyed by the seed of the settings. */
  readonly random: Random
  /** The interpreter of JavaScript tracers, once the shell has loaded it. */
  readonly scripts?: Scripts
  /** Returns the application with other quirks than at the start; undefined for those of the start. */
  readonly applicationWith?: (quirks: readonly string[]) => Pick<ChainWorld, 'app' | 'ethereum'> | undefined
}

export type NodeKey = {
  readonly name: string
  readonly address: Uint8Array
  readonly privateKey: Uint8Array
}

/** Returns the keys that the node signs with: those of the world, then those that clients added. */
export function keysOf(
  { keyring }: Pick<World, 'keyring'>,
  { keys = [] }: { readonly keys?: readonly NodeKey[] },
): readonly NodeKey[] {
  return [...keyring, ...keys]
}

/** Returns a world with the quirks that settings select: settings change while the world stays. */
export function worldOf<Of extends World>(world: Of, { quirks }: Pick<Settings, 'quirks'>): Of {
  const other = world.applicationWith?.(quirks)
  return other === undefined ? world : { ...world, ...other }
}
