/**
 * The ante chain of Cosmos transactions, in evmd's order (cosmos/evm ante/cosmos, SDK x/auth/ante).
 */
import { typeUrls } from '../../../codec/messages/cosmosEvm.ts'
import { GoPanic, nilPointer } from '../../../codec/comet.ts'
import { compareTime } from '../../../data/time.ts'
import { goTime } from '../../../codec/time.ts'
import { gasMeter, infiniteGasMeter } from '../../gasMeter.ts'
import { transientGas } from '../../store.ts'
import { blockTime } from '../blockTime.ts'
import { blockGasLimit, consensusParams } from '../consensus.ts'
import { type Context, withFreeStores, withGas } from '../context.ts'
import { getAccount } from '../modules/auth/accounts.ts'
import { authParams } from '../modules/auth/params.ts'
import { isBaseFeeEnabled } from '../modules/feemarket/baseFee.ts'
import type { Params } from '../modules/feemarket/params.ts'
import { type DecodedTx, txSigners } from '../tx/decodeTx.ts'
import { sdkError } from '../txError.ts'
import { checkAuthz } from './authzLimiter.ts'
import { checkFeeItself, checkMinGasPrice, effectiveFee, takeFee } from './fees.ts'
import { countKeys } from './keys.ts'
import { signatureSize } from './multisig.ts'
import { checkSignatures, isIncomplete } from './signatureData.ts'
import { consumeSignatureGas, raiseSequences, setPublicKeys, verifySignatures, signaturesOf } from './signatures.ts'

/**
 * Throws for messages that are rejected before a gas meter is set up, so that gas used and wanted
 * do not come from the transaction.
 */
export function checkRoute({ messages }: DecodedTx): void {
  if (messages.some(({ typeUrl }) => typeUrl === typeUrls.msgEthereumTx)) {
    throw sdkError(
      'invalidType',
      "MsgEthereumTx needs to be contained within a tx with 'ExtensionOptionsEthereumTx' option",
    )
  }
  checkAuthz(messages)
}

/** Throws for an extension option that selects no ante chain (cosmos/evm ante/ante.go). */
export function checkExtensionRoute({
  body: {
    extensionOptions: [option],
  },
}: DecodedTx): void {
  if (option === undefined || option.typeUrl === typeUrls.extensionOptionDynamicFeeTx) return
  throw sdkError('unknownExtensionOptions', `rejecting tx with unsupported extension option: ${option.typeUrl}`)
}

/**
 * Returns the context with the transaction's gas meter. Throws if the limit exceeds the block's. As
 * in the SDK, the gas limit is checked before the presence of a fee.
 */
export function withTxGas(context: Context, { fee, hasFee }: DecodedTx): Context {
  if (!hasFee) throw new GoPanic(nilPointer)
  // The parameters were already charged when the transaction began.
  const { maxGas } = consensusParams(withFreeStores(context)).block
  if (maxGas > 0n && fee.gasLimit > maxGas) {
    throw sdkError('invalidGasLimit', `tx gas limit ${fee.gasLimit} exceeds block max gas ${maxGas}`)
  }
  return withGas(context, context.mode === 'simulate' ? infiniteGasMeter() : gasMeter(fee.gasLimit))
}

/** Checks a transaction, takes its fee and raises sequences. Throws `TxError` or `OutOfGas`. */
export function anteCosmos(context: Context, tx: DecodedTx, params: Params): void {
  checkExtensions(tx)
  checkBasics(context, tx)
  checkMinGasPrice(context, tx, params)
  consumeSize(context, tx)
  takeFee(context, tx, effectiveFee(context, tx, params))
  const signers = txSigners(context, tx)
  setPublicKeys(context, tx, signers)
  checkSignatureCount(context, tx)
  consumeSignatureGas(context, tx, signers)
  verifySignatures(context, tx, signers)
  raiseSequences(context, signers)
  countGas(context, tx, params)
}

function checkExtensions({ body }: DecodedTx): void {
  const other = body.extensionOptions.find(({ typeUrl }) => typeUrl !== typeUrls.extensionOptionDynamicFeeTx)
  if (other !== undefined) throw sdkError('unknownExtensionOptions')
}

function checkBasics(context: Context, tx: DecodedTx): void {
  const { body, signatures } = tx
  checkFeeItself(context, tx)
  if (signatures.length === 0) throw sdkError('noSignatures')
  const needed = txSigners(context, tx).length
  if (signatures.length !== needed) {
    throw sdkError('unauthorized', `wrong number of signers; expected ${needed}, got ${signatures.length}`)
  }
  if (body.timeoutHeight !== 0n && context.block.height > body.timeoutHeight) {
    throw sdkError('txTimeoutHeight', `block height: ${context.block.height}, timeout height: ${body.timeoutHeight}`)
  }
  checkTimeout(context, tx)
  if (body.memo.length === 0) return
  const { maxMemoCharacters } = authParams(context)
  // The SDK counts bytes and calls them characters.
  const { length } = new TextEncoder().encode(body.memo)
  if (BigInt(length) > maxMemoCharacters) {
    throw sdkError(
      'memoTooLarge',
      `maximum number of characters is ${maxMemoCharacters} but received ${length} characters`,
    )
  }
}

/**
 * Throws if the transaction has timed out. A check compares with the last block's time, a block
 * with its own time.
 */
function checkTimeout(context: Context, { timeout }: DecodedTx): void {
  const now = blockTime(context)
  if (timeout === undefined || timeout.seconds === 0n || compareTime(timeout, now) >= 0) return
  throw sdkError('txTimeout', `block time: ${goTime(now)}, timeout timestamp: ${goTime(timeout)}`)
}

function consumeSize(context: Context, tx: DecodedTx): void {
  const { txSizeCostPerByte, txSigLimit } = authParams(context)
  context.gas.consume(txSizeCostPerByte * BigInt(tx.bytes.length), 'txSize')
  if (context.mode !== 'simulate') return
  const signatures = signaturesOf(tx)
  checkSignatures(signatures)
  txSigners(context, tx).forEach((address, index) => {
    const signature = signatures[index]
    if (signature !== undefined && !isIncomplete(signature)) return
    const size = signatureSize(getAccount(context, address)?.publicKey, txSigLimit)
    context.gas.consume(txSizeCostPerByte * size, 'txSize')
  })
}

function checkSignatureCount(context: Context, { signers }: DecodedTx): void {
  const { txSigLimit } = authParams(context)
  let count = 0
  for (const { publicKey } of signers) {
    count += countKeys(publicKey)
    if (BigInt(count) > txSigLimit) {
      throw sdkError('tooManySignatures', `signatures: ${count}, limit: ${txSigLimit}`)
    }
  }
}

function countGas(context: Context, { fee }: DecodedTx, params: Params): void {
  const limit = blockGasLimit(consensusParams(withFreeStores(context)).block.maxGas)
  if (context.mode !== 'simulate' && fee.gasLimit > limit) {
    throw sdkError('outOfGas', `tx gas (${fee.gasLimit}) exceeds block gas limit (${limit})`)
  }
  if (!isBaseFeeEnabled(params, context.block.height)) return
  // The SDK keeps the sum in a transient store: one read and one write of 8 bytes under a 1-byte
  // key.
  context.gas.consume(transientGas.readFlat, 'ReadFlat')
  context.gas.consume(transientGas.writeFlat, 'WriteFlat')
  context.gas.consume(transientGas.writePerByte * 9n, 'WritePerByte')
  context.counters.gasWanted += fee.gasLimit
}
