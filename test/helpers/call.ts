/** One call for EVM tests: a rich sender, one contract, a fresh engine. */
import type { EvmEnv, EvmResult, EvmTx } from '../../src/evm/types.ts'
import { testEngine } from './engine.ts'
import { address, baseEnv, emptyWorld, put, readOf, txOf, type World } from './state.ts'

/** Returns a world of a rich sender and a contract with the code. */
export function worldWith(bytes: Uint8Array): World {
  const world = emptyWorld()
  put(world, address(0xa1), { balance: 10n ** 24n })
  put(world, address(0xb1), { nonce: 1n, code: bytes })
  return world
}

/** Returns what a call of the code does. */
export function call(bytes: Uint8Array, tx: Partial<EvmTx> = {}, env: Partial<EvmEnv> = {}): EvmResult {
  return testEngine().execute({ ...baseEnv, ...env }, txOf(tx), readOf(worldWith(bytes)))
}
