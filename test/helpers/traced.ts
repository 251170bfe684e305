/** Tracing for tests: a small world, one transaction, and its trace as a value. */
import type { ExecutionContext } from 'ava'
import type { EvmTraceOptions, EvmTracer, EvmTx } from '../../src/evm/types.ts'
import { code } from './bytecode.ts'
import { testEngine } from './engine.ts'
import { address, baseEnv, emptyWorld, put, readOf, toHex, txOf, word, type World } from './state.ts'

export const [sender, outer, inner] = [address(0xa1), address(0xb1), address(0xb2)]
export const show = (at: Uint8Array): string => `0x${toHex(at)}`
export const zeros = (value: number): string => toHex(word(value))

/** Returns a world of a rich sender and contracts with a nonce, nine wei and slot 1 = 3. */
export function worldOf(codes: readonly (readonly [Uint8Array, Uint8Array])[]): World {
  const world = emptyWorld()
  put(world, sender, { balance: 10n ** 18n })
  for (const [at, bytes] of codes) put(world, at, { nonce: 1n, balance: 9n, code: bytes, slots: [[1n, 3n]] })
  return world
}

type Traced = { tracer: EvmTracer; tx?: Partial<EvmTx>; options?: EvmTraceOptions }

/** Returns what the tracer says of a transaction from the sender to the outer contract. */
export function traced(world: World, { tracer, tx = {}, options = {} }: Traced) {
  const env = { ...baseEnv, relax: { fees: true } }
  const { result, json } = testEngine().trace(
    { env, tx: txOf({ gasLimit: 200_000n, ...tx }), read: readOf(world) },
    tracer,
    options,
  )
  return { result, json, value: json === '' ? undefined : JSON.parse(json) }
}

/** The members of every object come in alphabetical order, as the node writes them. */
export function sorted(t: ExecutionContext, value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) t.deepEqual(Object.keys(value), Object.keys(value).toSorted())
  for (const item of Object.values(value)) sorted(t, item)
}

/** Stores 5 in slot 1, loads it and returns it. */
export const stores = code(5, 1, 'SSTORE', 1, 'SLOAD', 'PUSH0', 'MSTORE', 32, 'PUSH0', 'RETURN')
