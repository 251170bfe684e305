/**
 * Gas that a transaction costs before it runs (cosmos-evm-rpc.md §7.2; EIP-2028, 2930, 3860, 7623,
 * 7702).
 */
import type { EvmTx } from '../../../evm/types.ts'

/** Returns the intrinsic gas, charged before the first instruction. */
export function intrinsicGas({ to, data, accessList, authorizations }: EvmTx): bigint {
  const { zeros, others } = countBytes(data)
  const words = to === undefined ? (data.length + 31) >> 5 : 0
  const slots = accessList.reduce((sum, entry) => sum + entry.slots.length, 0)
  const base = to === undefined ? 53_000 : 21_000
  return BigInt(
    base +
      4 * zeros +
      16 * others +
      2 * words +
      2400 * accessList.length +
      1900 * slots +
      25_000 * authorizations.length,
  )
}

/** Returns the minimum gas limit for the transaction's data. */
export function floorGas({ data }: EvmTx): bigint {
  const { zeros, others } = countBytes(data)
  return BigInt(21_000 + 10 * (zeros + 4 * others))
}

function countBytes(data: Uint8Array): { zeros: number; others: number } {
  let zeros = 0
  for (const byte of data) if (byte === 0) zeros += 1
  return { zeros, others: data.length - zeros }
}
