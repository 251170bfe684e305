import type { EvmEnv, EvmResult, EvmTx } from './types.ts'

const u64 = 1n << 64n
const u128 = 1n << 128n
const u256 = 1n << 256n

/**
 * Returns the refusal of a transaction whose numbers no EVM account could pay for or count to, or
 * nothing. The engine holds gas, nonces and the base fee in 64 bits and prices in 128.
 */
export function refusal(env: EvmEnv, tx: EvmTx): EvmResult | undefined {
  const bounds: readonly (readonly [string, bigint, bigint])[] = [
    ['gasLimit', tx.gasLimit, u64], ['nonce', tx.nonce, u64], ['gasPrice', tx.gasPrice, u128],
    ['priorityFee', tx.priorityFee ?? 0n, u128], ['blobFeeCap', tx.blobFeeCap, u128],
    ['value', tx.value, u256], ['baseFee', env.baseFee, u64], ['blockGasLimit', env.blockGasLimit, u64],
  ]
  const bad = bounds.find(([, value, bound]) => value < 0n || value >= bound)
  if (bad === undefined) return undefined
  const [name, value, bound] = bad
  const detail = `${name} must be below 2^${bound.toString(2).length - 1}, got ${value}`
  return {
    status: 'refused', reason: { kind: 'ValueOutOfRange', detail }, gasUsed: 0n, gasPeak: 0n, refund: 0n,
    output: new Uint8Array(), created: undefined, logs: [], diff: [],
  }
}
