/**
 * The ante chain of Cosmos transactions, in evmd's order (cosmos/evm ante/cosmos, SDK x/auth/ante).
 */
import { extensionOptionDynamicFeeTx, typeUrls } from '../../../codec/protobuf/cosmosEvm.ts'
import { equalBytes } from '../../../data/bytes.ts'
import { gasMeter } from '../../gasMeter.ts'
import { transientGas } from '../../store.ts'
import { accountText, addressOf } from '../address.ts'
import { blockGasLimit, consensusParams } from '../consensus.ts'
import { emit, withGas, type Context } from '../context.ts'
import { decimalText, one } from '../decimal.ts'
import { getAccount } from '../modules/auth/accounts.ts'
import { authParams } from '../modules/auth/params.ts'
import { areValid, type Coin, coinsOf, coinsText } from '../modules/bank/coins.ts'
import { sendToModule } from '../modules/bank/send.ts'
import { getSpendable } from '../modules/bank/spendable.ts'
import { getEvmParams } from '../modules/evm/store.ts'
import { type Parties, useGrant } from '../modules/feegrant/grants.ts'
import type { Params } from '../modules/feemarket/params.ts'
import type { DecodedTx } from '../tx/decodeTx.ts'
import { signersOf, txSigners } from '../tx/messages.ts'
import { sdkError, TxError } from '../txError.ts'
import { checkAuthz } from './authzLimiter.ts'
import { countKeys } from './keys.ts'
import { isIncomplete, signatureSize } from './multisig.ts'
import {
  consumeSignatureGas, raiseSequences, setPublicKeys, verifySignatures,
} from './signatures.ts'

/**
 * Throws what is refused before a gas meter is set up: gas used and wanted are not the sender's.
 */
export function checkRoute({ messages }: DecodedTx): void {
  if (messages.some(({ typeUrl }) => typeUrl === typeUrls.msgEthereumTx)) {
    throw sdkError('invalidType',
      "MsgEthereumTx needs to be contained within a tx with 'ExtensionOptionsEthereumTx' option")
  }
  checkAuthz(messages)
}

/** Returns the context with the gas meter of the transaction; throws beyond the block's limit. */
export function withTxGas(context: Context, { fee }: DecodedTx): Context {
  const { maxGas } = consensusParams(context).block
  if (context.mode === 'simulate') return withGas(context, gasMeter((1n << 64n) - 1n))
  if (maxGas > 0n && fee.gasLimit > maxGas) {
    throw sdkError(
      'invalidGasLimit', `tx gas limit ${fee.gasLimit} exceeds block max gas ${maxGas}`
    )
  }
  return withGas(context, gasMeter(fee.gasLimit))
}

/** Checks a transaction, takes its fee and raises sequences, or throws `TxError` or `OutOfGas`. */
export function anteCosmos(context: Context, tx: DecodedTx, params: Params): void {
  checkExtensions(tx)
  checkBasics(context, tx)
  consumeSize(context, tx)
  takeFee(context, tx, checkedFee(context, tx, params))
  const signers = txSigners(tx)
  setPublicKeys(context, tx, signers)
  checkSignatureCount(context, tx)
  consumeSignatureGas(context, tx, signers)
  verifySignatures(context, tx, signers)
  raiseSequences(context, signers)
  countGas(context, tx)
}

function checkExtensions({ body }: DecodedTx): void {
  const other =
    body.extensionOptions.find(({ typeUrl }) => typeUrl !== typeUrls.extensionOptionDynamicFeeTx)
  if (other !== undefined) throw sdkError('unknownExtensionOptions', '')
}

function checkBasics(context: Context, tx: DecodedTx): void {
  const { body, fee, signatures } = tx
  const coins = coinsOf(fee.amount)
  if (coins === undefined || coins.some(({ amount }) => amount < 0n)) {
    throw sdkError('insufficientFee', `invalid fee provided: ${feeText(fee.amount)}`)
  }
  if (signatures.length === 0) throw sdkError('noSignatures', '')
  const needed = txSigners(tx).length
  if (signatures.length !== needed) {
    throw sdkError('unauthorized',
      `wrong number of signers; expected ${needed}, got ${signatures.length}`)
  }
  if (body.timeoutHeight !== 0n && context.block.height > body.timeoutHeight) {
    throw sdkError('txTimeoutHeight',
      `block height: ${context.block.height}, timeout height: ${body.timeoutHeight}`)
  }
  if (body.memo.length === 0) return
  const { maxMemoCharacters } = authParams(context)
  if (BigInt(new TextEncoder().encode(body.memo).length) > maxMemoCharacters) {
    throw sdkError('memoTooLarge', `maximum number of characters is ${maxMemoCharacters} but received `
      + `${body.memo.length} characters`)
  }
}

/**
 * The fee must be in the chain's coin and reach the base fee; a tip cap may lower what is taken.
 */
function checkedFee(context: Context, { fee, body }: DecodedTx, params: Params): readonly Coin[] {
  const denom = getEvmParams(withoutGas(context)).evmDenom
  const coins = coinsOf(fee.amount) ?? []
  if (context.mode === 'simulate' || context.mode === 'genesis') return coins
  if (coins.length > 1 || coins.some((coin) => coin.denom !== denom)) {
    throw sdkError('invalidCoins',
      `expected only native token ${denom} for fee, but got ${coinsText(coins)}`)
  }
  const amount = coins[0]?.amount ?? 0n
  checkGlobalFee(params, { denom, amount, gas: fee.gasLimit })
  if (params.noBaseFee || fee.gasLimit === 0n) return coins
  const cap = amount * one / fee.gasLimit
  if (cap < params.baseFee) {
    throw sdkError('insufficientFee', `gas prices too low, got: ${decimalText(cap)}${denom} required: `
      + `${decimalText(params.baseFee)}${denom}. Please retry using a higher gas price or a higher fee`)
  }
  const option = body.extensionOptions[0]
  if (option === undefined) return coins
  const tip = BigInt(extensionOptionDynamicFeeTx.decode(option.value).maxPriorityPrice || '0')
  const price = params.baseFee + tip < cap ? params.baseFee + tip : cap
  const taken = (price * fee.gasLimit + one - 1n) / one
  return taken === 0n ? [] : [{ denom, amount: taken }]
}

function checkGlobalFee(
  { minGasPrice }: Params, { denom, amount, gas }: Coin & { readonly gas: bigint },
): void {
  const required = (minGasPrice * gas + one - 1n) / one
  if (minGasPrice === 0n || amount >= required) return
  throw sdkError('insufficientFee', `provided fee < minimum global fee (${amount}${denom} < ${required}${denom}). `
    + 'Please increase the gas price.')
}

function consumeSize(context: Context, tx: DecodedTx): void {
  const { txSizeCostPerByte, txSigLimit } = authParams(context)
  context.gas.consume(txSizeCostPerByte * BigInt(tx.bytes.length), 'txSize')
  if (context.mode !== 'simulate') return
  txSigners(tx).forEach((address, index) => {
    if (!isIncomplete(tx.signatures[index], tx.signers[index]?.modeInfo)) return
    const size = signatureSize(getAccount(context, address)?.publicKey, txSigLimit)
    context.gas.consume(txSizeCostPerByte * size, 'txSize')
  })
}

function takeFee(context: Context, { fee, messages }: DecodedTx, coins: readonly Coin[]): void {
  const first = fee.payer === '' ? signersOf(messages)[0] : addressOf(fee.payer)
  if (first === undefined) throw sdkError('unknownAddress', 'fee payer address: does not exist')
  const payer = fee.granter === '' ? first : addressOf(fee.granter)
  if (!equalBytes(payer, first)) {
    payByGrant(context, { granter: payer, grantee: first }, { coins, messages })
  }
  if (getAccount(context, payer) === undefined) {
    throw sdkError('unknownAddress', `fee payer address: ${accountText(payer)} does not exist`)
  }
  if (coins.length === 0 && context.mode === 'simulate' && !context.fixed.simulatesWithoutFee) {
    chargeForFee(context, payer)
  }
  if (coins.length > 0) {
    if (!areValid(coins)) {
      throw sdkError('insufficientFee', `invalid fee amount: ${coinsText(coins)}`)
    }
    try {
      sendToModule(context, payer, 'fee_collector', coins)
    } catch (error) {
      if (error instanceof TxError) throw sdkError('insufficientFunds', error.message)
      throw error
    }
  }
  emit(context, 'tx', { fee: coinsText(coins), fee_payer: accountText(payer) })
}

/** Who simulates to learn the gas names no fee yet, but taking it will cost gas as well. */
function chargeForFee(context: Context, payer: Uint8Array): void {
  const { evmDenom: denom } = getEvmParams(withoutGas(context))
  const amount = getSpendable(withoutGas(context), payer, denom) / 2n
  if (amount === 0n) return
  const [mark, events] = [context.draft.mark(), context.events.length]
  sendToModule(context, payer, 'fee_collector', [{ denom, amount }])
  context.draft.cut(mark)
  context.events.length = events
}

function payByGrant(
  context: Context, parties: Parties,
  { coins: fee, messages }: { coins: readonly Coin[]; messages: DecodedTx['messages'] },
): void {
  try {
    useGrant(context, parties, { fee, typeUrls: messages.map(({ typeUrl }) => typeUrl) })
  } catch (error) {
    if (!(error instanceof TxError)) throw error
    const { granter, grantee } = parties
    throw error.inside(
      `${accountText(granter)} does not allow to pay fees for ${accountText(grantee)}`
    )
  }
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

function countGas(context: Context, { fee }: DecodedTx): void {
  const limit = blockGasLimit(consensusParams(withoutGas(context)).block.maxGas)
  if (context.mode !== 'simulate' && fee.gasLimit > limit) {
    throw sdkError('outOfGas', `tx gas (${fee.gasLimit}) exceeds block gas limit (${limit})`)
  }
  // The SDK keeps the sum in a transient store: one read and one write of 8 bytes under a key of 1.
  context.gas.consume(transientGas.readFlat, 'ReadFlat')
  context.gas.consume(transientGas.writeFlat, 'WriteFlat')
  context.gas.consume(transientGas.writePerByte * 9n, 'WritePerByte')
  context.counters.gasWanted += fee.gasLimit
}

function withoutGas(context: Context): Context {
  return { ...context, store: (name) => context.draft.raw(name) }
}

function feeText(amount: readonly { denom: string; amount: string }[]): string {
  return amount.map((coin) => `${coin.amount}${coin.denom}`).join(',')
}

