/** The constants of a node: application, engine and keys. */
import type { ChainWorld } from '../chain/chain.ts'
import type { Random } from '../data/random.ts'
import type { Scripts } from '../evm/scripts/engine.ts'

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
}

export type NodeKey = {
  readonly name: string
  readonly address: Uint8Array
  readonly privateKey: Uint8Array
}
