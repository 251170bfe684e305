/**
 * Unsigned transactions of impersonated accounts. The signature fields hold a marker and the
 * sender. Only an application configured with `setImpersonated` accepts them; any other sees an
 * invalid signature.
 */
import { maxUint256 } from '../codec/goIntegers.ts'
import type { EthTx } from '../codec/ethTx.ts'
import { bigOf, wordOf } from '../data/bigEndian.ts'

// No valid signature has this s, because it exceeds half the order of the curve (EIP-2).
const mark = maxUint256

/** Returns the transaction with the sender in place of its signature. */
export function unsignedTx(tx: EthTx, from: Uint8Array, chainId: bigint): EthTx {
  const v = tx.type === 0 ? chainId * 2n + 35n : 0n
  return { ...tx, v, r: bigOf(from), s: mark }
}

/** Returns the sender stored in place of the signature, or undefined if it is a real signature. */
export function unsignedSender({ r, s }: Pick<EthTx, 'r' | 's'>): Uint8Array | undefined {
  if (s !== mark || r >= 1n << 160n) return undefined
  return wordOf(r).slice(12)
}
