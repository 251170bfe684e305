/**
 * Transactions without a signature, for accounts that a tester impersonates: the place of the
 * signature says so and who sends. Only an application that was told to (`setImpersonated`) takes
 * them; everywhere else they are transactions with a signature nobody made.
 */
import type { EthTx } from '../codec/ethTx.ts'
import { plainHexOf } from '../codec/hex.ts'

// No signature has this s: it is above half the order of the curve (EIP-2).
const mark = (1n << 256n) - 1n

/** Returns the transaction with a sender in place of its signature. */
export function unsignedTx(tx: EthTx, from: Uint8Array, chainId: bigint): EthTx {
  const v = tx.type === 0 ? chainId * 2n + 35n : 0n
  return { ...tx, v, r: BigInt(`0x${plainHexOf(from)}`), s: mark }
}

/** Returns the sender that stands in the place of a signature; undefined when it is a signature. */
export function unsignedSender({ r, s }: Pick<EthTx, 'r' | 's'>): Uint8Array | undefined {
  if (s !== mark || r >= 1n << 160n) return undefined
  const digits = r.toString(16).padStart(40, '0')
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
