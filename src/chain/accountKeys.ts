/** The index keys by which blocks with transactions of an account are found. */
import { decodeEthTx } from '../codec/ethTx.ts'
import { plainHexOf } from '../codec/hex.ts'
import type { EthereumTx } from './block.ts'

/** Returns the index key of an account that a transaction came from, called or created. */
export function accountKey(account: Uint8Array): string {
  return `t${plainHexOf(account)}`
}

/** Returns the index key of a sender's transaction with a nonce. */
export function nonceKey(sender: Uint8Array, nonce: bigint): string {
  return `n${plainHexOf(sender)}${nonce.toString(16)}`
}

/** Returns the index keys of a transaction's accounts, without those of its logs. */
export function accountKeys({ from, raw, receipt }: EthereumTx): readonly string[] {
  const { to = receipt.contractAddress, nonce } = decodeEthTx(raw)
  return [accountKey(from), nonceKey(from, nonce), ...(to === undefined ? [] : [accountKey(to)])]
}
