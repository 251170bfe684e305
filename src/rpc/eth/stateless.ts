/** Transaction checks that need no state. */
import type { EthTx } from '../../codec/ethTx.ts'
import { serverError } from './errors.ts'

/**
 * Throws if a transaction is invalid on any state (`cosmos-evm-rpc.md` §2.7 stage 4). The error's
 * text starts with `prefix`.
 */
export function checkStateless(tx: EthTx, prefix: string): void {
  const isPriced = tx.type === 0 || tx.type === 1
  if (!isPriced && tx.maxPriorityFeePerGas > tx.maxFeePerGas) {
    throw serverError(`${prefix}max priority fee per gas higher than max fee per gas`)
  }
  const needed = intrinsicGas(tx)
  if (tx.gas < needed) {
    throw serverError(`${prefix}intrinsic gas too low: gas ${tx.gas}, minimum needed ${needed}`)
  }
  if (tx.type === 4 && tx.authorizations.length === 0) {
    throw serverError(`${prefix}set code tx must have at least one authorization tuple`)
  }
}

/** Returns the intrinsic gas of a transaction (EIP-2028, 2930, 3860, 7702). */
function intrinsicGas(tx: EthTx): bigint {
  const base = tx.to === undefined ? 53_000n : 21_000n
  const zeros = BigInt(tx.data.reduce((count, byte) => (byte === 0 ? count + 1 : count), 0))
  const nonZeros = BigInt(tx.data.length) - zeros
  const words = tx.to === undefined ? BigInt(Math.ceil(tx.data.length / 32)) : 0n
  const list = tx.type === 0 ? [] : tx.accessList
  const slots = list.reduce((count, { storageKeys }) => count + storageKeys.length, 0)
  const authorizations = tx.type === 4 ? tx.authorizations.length : 0
  return (
    base +
    4n * zeros +
    16n * nonZeros +
    2n * words +
    2400n * BigInt(list.length) +
    1900n * BigInt(slots) +
    25_000n * BigInt(authorizations)
  )
}
