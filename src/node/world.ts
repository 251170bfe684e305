/** What surrounds a node and never changes while it lives: the application, its engine, keys. */
import type { ChainWorld } from '../chain/chain.ts'
import type { Random } from '../data/random.ts'
import type { Scripts } from '../evm/scripts/engine.ts'

/**
 * `keyring` are keys the node signs with (`eth_sendTransaction`, `personal_*`), in the order
 * `eth_accounts` lists them.
 */
export type World = ChainWorld & {
  readonly keyring: readonly NodeKey[]
  readonly version: string
  /** Draws keyed by the seed of the settings. */
  readonly random: Random
  /** Where the interpreter of tracers in JavaScript is, once the shell has loaded it. */
  readonly scripts?: Scripts
}

export type NodeKey = {
  readonly name: string
  readonly address: Uint8Array
  readonly privateKey: Uint8Array
}
