/** What the benchmarks of EVMs run: the same accounts, contracts and inputs for each of them. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { encodeFunctionData } from 'viem'
import { join } from '../helpers/bytecode.ts'
import { contract } from '../helpers/solc.ts'
import { address, emptyWorld, hex, put, setSlot, word, type World } from '../helpers/state.ts'

/** How many senders take turns. */
export const accounts = 1_000
const rounds = 3
export const [coin, loops] = [address(0x70), address(0x71)]

const owners = Array.from({ length: accounts }, (_, index) => keccak_256(word(index)).slice(12))
/** Returns the address of a sender. */
export const owner = (index: number): Uint8Array => owners[index % accounts] ?? coin
/** Returns the input of a contract's function. */
export const data = (name: string, functionName: string, args: readonly unknown[]): Uint8Array =>
  hex(encodeFunctionData({ abi: contract(name).abi, functionName, args }))

/** Returns the slot of an owner's coins (OpenZeppelin keeps balances in slot 0). */
export const balanceSlot = (at: Uint8Array): Uint8Array => keccak_256(join(new Uint8Array(12), at, word(0)))

/** A thousand owners with ether and coins. */
export function worldOf(): World {
  const world = emptyWorld()
  put(world, coin, { nonce: 1n, code: contract('Coin').runtime })
  put(world, loops, { nonce: 1n, code: contract('Loops').runtime })
  for (let index = 0; index < accounts; index += 1) {
    put(world, owner(index), { balance: 10n ** 24n })
    setSlot(world, coin, balanceSlot(owner(index)), word(10n ** 24n))
  }
  return world
}

/** The loops of compute, with how often they turn. */
export const work = [
  ['arith', 200_000],
  ['hash', 100_000],
  ['mulmods', 100_000],
] as const

/** Returns the best of some rounds in microseconds for each of the count. */
export async function best<T>(count: number, prepare: () => T, run: (prepared: T) => unknown): Promise<number> {
  let least = Infinity
  for (let round = 0; round < rounds; round += 1) {
    const prepared = prepare()
    const start = performance.now()
    await run(prepared)
    least = Math.min(least, ((performance.now() - start) * 1_000) / count)
  }
  return least
}
