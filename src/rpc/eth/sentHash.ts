import type { Outcome } from '../../chain/outcome.ts'
import { hexOf } from '../../codec/hex.ts'
import { dialectOf } from '../devDialects.ts'
import { RpcError } from '../errors.ts'
import type { Context } from '../method.ts'
import { submittedHash } from './broadcast.ts'
import { codes } from './errors.ts'
import { minedByHash } from './lookup.ts'
import { revertText } from './revert.ts'

/**
 * Returns the Ethereum hash of an admitted transaction. If it was refused, throws the reason after
 * `prefix`. The Hardhat dialect also throws if the transaction failed in the block mined for it.
 * Hardhat's tests expect a send with a fixed gas limit to reject (`throwOnTransactionFailures`).
 */
export function sentHash(context: Context, outcome: Outcome, prefix: string): Uint8Array {
  const hash = submittedHash(outcome, prefix)
  if (dialectOf(context) === 'hardhat') checkSucceeded(context, hash)
  return hash
}

function checkSucceeded({ node: { chain } }: Context, hash: Uint8Array): void {
  const receipt = minedByHash(chain, hash)?.tx.receipt
  if (receipt?.failed !== true) return
  const isRevert = receipt.vmError === 'execution reverted'
  const text = isRevert ? revertText(receipt.output) : receipt.vmError || 'the block took the transaction back'
  const message = `${text} (transaction ${hexOf(hash)})`
  throw new RpcError(codes.reverted, message, { data: JSON.stringify(hexOf(receipt.output)) })
}
