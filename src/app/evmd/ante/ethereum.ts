/**
 * Checks and fees of an Ethereum transaction before it runs, in the node's order (corrections-b
 * 24).
 */
import { maxUint64 } from '../../../codec/goIntegers.ts'
import { hexOf } from '../../../codec/hex.ts'
import { equalBytes } from '../../../data/bytes.ts'
import type { RecoveredTx } from '../../ethereumView.ts'
import type { EvmCoin } from '../../evmCoin.ts'
import { feeCollector } from '../address.ts'
import { blockGasLimit, consensusParams } from '../consensus.ts'
import { emit, isChecking, type Context } from '../context.ts'
import { one, truncated } from '../decimal.ts'
import { unsignedSender } from '../../unsigned.ts'
import { effectivePrice } from '../ethereum/recover.ts'
import { isImpersonated } from '../impersonation.ts'
import { createAccount, getAccount, setAccount } from '../modules/auth/accounts.ts'
import { baseFeeOf, isBaseFeeEnabled, waitingBaseFee } from '../modules/feemarket/baseFee.ts'
import { getFeemarketParams } from '../modules/feemarket/params.ts'
import { checkEnabled } from '../ethereum/permissions.ts'
import { emptyCodeHash, getCode, getCodeHash } from '../modules/evm/store.ts'
import { getSpendableWei, sendWei } from '../modules/precisebank/send.ts'
import type { DecodedTx } from '../tx/decodeTx.ts'
import { sdkError, TxError } from '../txError.ts'
import { checkClaimedFee, checkClaimedSender, checkPoolRules } from './ethereumRules.ts'
import { checksumAddress } from '../../../crypto/checksumAddress.ts'

/**
 * Takes the fee and raises the sender's sequence. Returns the price paid, in wei per gas. Throws
 * `TxError`.
 */
export function anteEthereum(context: Context, message: RecoveredTx, { coin, sender, wrapping }: Wrapped): bigint {
  const { tx } = message
  checkSignature(context, message)
  const baseFee = requiredBaseFee(context, tx.gasPrice)
  const price = effectivePrice(tx, baseFee)
  checkPoolRules(context, message)
  checkGlobalFee(context, price, tx.gasLimit)
  checkEnabled(context, tx)
  checkClaimedSender(message, sender)
  checkSender(context, message, coin)
  if (tx.gasPrice < baseFee) {
    throw sdkError('insufficientFee', `max fee per gas less than block base fee (${tx.gasPrice} < ${baseFee})`)
  }
  takeFee(context, message.from, price * tx.gasLimit, coin)
  raiseSequence(context, message)
  countGas(context, wrapping.fee.gasLimit)
  emit(context, 'ethereum_tx', {
    ethereumTxHash: hexOf(message.hash),
    txIndex: context.counters.ethTxs.toString(),
  })
  checkClaimedFee(wrapping, message, coin.extendedDenom)
  return price
}

/**
 * `sender` is the sender claimed by the message; `wrapping` is the enclosing Cosmos transaction.
 */
export type Wrapped = { readonly coin: EvmCoin; readonly sender: Uint8Array; readonly wrapping: DecodedTx }

/**
 * Returns the base fee that a fee cap must cover. The mempool accepts a cap that covers the next
 * block's base fee, which is what the transaction pays. With quirk `last-fee-required`, it requires
 * the last block's base fee, as the node does. Wallets may fall short of that: they offer the next
 * block's price, and base fees of a few wei leave no margin.
 */
function requiredBaseFee(context: Context, cap: bigint): bigint {
  const last = baseFeeOf(context)
  return cap >= last || !isChecking(context) ? last : waitingBaseFee(context)
}

/**
 * Accepts a sender in place of a signature only while that account is impersonated. A transaction
 * that was admitted then is mined, as with Anvil and Hardhat; every one of a block has been admitted.
 */
function checkSignature({ draft, mode }: Context, { signature, from }: RecoveredTx): void {
  if (unsignedSender(signature) === undefined || isImpersonated(draft.base, from)) return
  if (mode === 'recheck' || mode === 'deliver') return
  const missing = `the transaction is not signed, and ${hexOf(from)} is not impersonated (anvil_impersonateAccount)`
  throw sdkError('unauthorized', `signature verification failed: ${missing}`)
}

function checkGlobalFee(context: Context, price: bigint, gas: bigint): void {
  const { minGasPrice } = getFeemarketParams(context)
  const required = minGasPrice * gas
  const fee = price * gas
  if (fee * one >= required) return
  throw sdkError(
    'insufficientFee',
    `provided fee < minimum global fee (${fee} < ${truncated(required)}). ` +
      'Please increase the priority tip (for EIP-1559 txs) or the gas prices ' +
      '(for access list or legacy txs)',
  )
}

const delegationPrefix = Uint8Array.of(0xef, 0x01, 0x00)

/**
 * Throws if a contract is the sender (EIP-3607). A contract that is impersonated may send, as with
 * Anvil and Hardhat.
 */
function checkNoContract(context: Context, { signature, from }: RecoveredTx): void {
  if (unsignedSender(signature) !== undefined) return
  const hash = getCodeHash(context, from)
  if (equalBytes(hash, emptyCodeHash)) return
  const code = getCode(context, hash)
  if (code.length === 23 && equalBytes(code.subarray(0, 3), delegationPrefix)) return
  throw sdkError('invalidType', `the sender is not EOA: address ${checksumAddress(from)}`)
}

function checkSender(context: Context, message: RecoveredTx, coin: EvmCoin): void {
  checkNoContract(context, message)
  const { tx, from } = message
  const balance = getSpendableWei(context, from, coin)
  const cost = tx.gasLimit * tx.gasPrice + tx.value
  if (balance < cost) {
    throw sdkError(
      'insufficientFunds',
      `failed to check sender balance: sender balance < tx cost (${balance} < ${cost})`,
    )
  }
  if (getAccount(context, from) === undefined) createAccount(context, from)
}

/** Takes the fee. As on the node, its event counts wei, but names the coin of x/bank. */
function takeFee(context: Context, from: Uint8Array, wei: bigint, coin: EvmCoin): void {
  if (wei > 0n) sendWei(context, { from, to: feeCollector, wei }, coin)
  emit(context, 'tx', { fee: wei === 0n ? '' : `${wei}${coin.denom}` })
}

function raiseSequence(context: Context, { tx, from }: RecoveredTx): void {
  const account = getAccount(context, from)
  const sequence = account?.sequence ?? 0n
  if (tx.nonce > sequence) throw new NonceGap(tx.nonce, sequence)
  if (tx.nonce < sequence) throw new NonceTooLow(tx.nonce, sequence)
  if (sequence === maxUint64) {
    throw sdkError('invalidSequence', 'nonce overflow: increment beyond 2^64-1 violates EIP-2681')
  }
  if (account !== undefined) setAccount(context, { ...account, sequence: sequence + 1n })
}

function countGas(context: Context, gasLimit: bigint): void {
  const limit = blockGasLimit(consensusParams(context).block.maxGas)
  if (gasLimit > limit) {
    throw sdkError('outOfGas', `tx gas (${gasLimit}) exceeds block gas limit (${limit})`)
  }
  if (isBaseFeeEnabled(getFeemarketParams(context), context.block.height)) context.counters.gasWanted += gasLimit
}

const plain = { code: 1, codespace: 'undefined' }

/**
 * The nonce is higher than the sender's next one. An application mempool queues the transaction.
 */
export class NonceGap extends TxError {
  constructor(nonce: bigint, sequence: bigint) {
    super(`tx nonce: ${nonce}, account accountNonce: ${sequence}: tx nonce is higher than account nonce`, plain)
  }
}

/** The nonce has been used. With an application mempool, the transaction may be a replacement. */
export class NonceTooLow extends TxError {
  constructor(nonce: bigint, sequence: bigint) {
    super(`invalid nonce; got ${nonce}, expected ${sequence}: tx nonce is lower than account nonce`, plain)
  }
}
