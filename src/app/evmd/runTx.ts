/** Runs a transaction through the ante chain and its messages (cosmos-sdk baseapp runTx). */
import { GoPanic } from '../../codec/comet.ts'
import type { Any } from '../../codec/messages/cosmos.ts'
import { encodeEthereumResponse, txMsgData, typeUrls } from '../../codec/messages/cosmosEvm.ts'
import { messageDescriptor } from '../../codec/schema/lookup.ts'
import { hexOf, plainHexOf } from '../../codec/hex.ts'
import { sha256 } from '../../crypto/hash.ts'
import type { EvmTx } from '../../evm/types.ts'
import { isExpected } from '../../errors.ts'
import type { AbciEvent, TxResult } from '../abci.ts'
import type { TxInfo } from '../application.ts'
import type { EvmCoin } from '../evmCoin.ts'
import type { RecoveredTx } from '../ethereumView.ts'
import { accountText, type Addressing } from './address.ts'
import { anteCosmos, checkExtensionRoute, checkRoute, withTxGas } from './ante/cosmos.ts'
import { anteEthereum } from './ante/ethereum.ts'
import { checkBasics, checkEnvelope } from './ante/ethereumRules.ts'
import { consensusParams } from './consensus.ts'
import { addAttribute, type Context, emit, isChecking, withFreeStores, withGas } from './context.ts'
import { failureOf } from './failure.ts'
import { packedMessage } from './ethereum/wrap.ts'
import { runEthereumTx } from './ethereumTx.ts'
import { infiniteGasMeter } from '../gasMeter.ts'
import { evmCoin } from './evmCoin.ts'
import { getEvmParams } from './modules/evm/store.ts'
import { getFeemarketParams } from './modules/feemarket/params.ts'
import { decodeTx, type DecodedTx } from './tx/decodeTx.ts'
import { runHandler } from './tx/runHandler.ts'
import { handlerOf, signersOf } from './messages.ts'
import { refusalOf, sdkError, TxError } from './txError.ts'

/** `refusal` is set if the transaction failed, `info` if it could be decoded. */
export type Ran = {
  readonly result: TxResult
  readonly info: TxInfo | undefined
  readonly refusal: TxError | undefined
}

/**
 * Runs a transaction on the context's draft: completely in a block or a simulation, only the ante
 * chain in CheckTx. The changes of a failed ante chain or failed messages are reverted.
 */
export function runTx(context: Context, bytes: Uint8Array): Ran {
  const start = withGas(context, infiniteGasMeter())
  consensusParams(start)
  const mark = context.draft.mark()
  const progress: Progress = {
    gas: start.gas,
    gasWanted: 0n,
    info: undefined,
    kept: 0,
    mark,
    isPastAnte: false,
  }
  const first = context.events.length
  try {
    const tx = decodeTx(bytes)
    checkMessages(start, tx)
    const isEthereum = tx.body.extensionOptions[0]?.typeUrl === typeUrls.extensionOptionsEthereumTx
    const data = isEthereum ? runEthereum(start, tx, progress) : runCosmos(start, tx, progress)
    const result = succeeded(context, data, progress, first)
    return { result, info: progress.info, refusal: undefined }
  } catch (error) {
    // A simulation is a query, so a bug is an incident of that query.
    if (context.mode === 'simulate' && isBug(error)) throw error
    const refusal = failureOf(context, whereabouts(context, bytes), error)
    context.draft.cut(progress.mark)
    const events = context.events.slice(first, first + progress.kept)
    context.events.length = first
    // A panic in the ante chain loses the gas meter and limit that it had set up.
    const isLost = error instanceof GoPanic && !progress.isPastAnte
    const known = isLost ? { gas: start.gas, gasWanted: 0n } : progress
    return { result: failed(refusal, known, events), info: progress.info, refusal }
  }
}

/**
 * The progress of a transaction. If it fails, the first `kept` events and the changes before `mark`
 * stay.
 */
type Progress = {
  gas: { readonly consumed: () => bigint }
  gasWanted: bigint
  info: TxInfo | undefined
  kept: number
  mark: number
  isPastAnte: boolean
}

function checkMessages(at: Addressing, tx: DecodedTx): void {
  if (tx.messages.length === 0) {
    throw sdkError('invalidRequest', 'must contain at least one message')
  }
  for (const message of tx.messages) {
    const { typeUrl, value } = message
    if (typeUrl === typeUrls.msgEthereumTx) checkBasics(packedMessage(value).message)
    else handlerOf(message).validate?.(value, at)
  }
}

function runEthereum(start: Context, tx: DecodedTx, progress: Progress): Uint8Array {
  const first = start.events.length
  progress.gasWanted = -1n
  // Building the ante chain reads both modules' parameters before its gas meter exists.
  getFeemarketParams(start)
  getEvmParams(start)
  const coin = evmCoin(start)
  checkEnvelope(start, tx)
  const context = withFreeStores(start)
  progress.gas = { consumed: () => 0n }
  const [packed, ...others] = tx.messages
  if (others.length > 0) {
    throw sdkError('invalidRequest', `expected 1 message, got ${tx.messages.length}`)
  }
  if (packed?.typeUrl !== typeUrls.msgEthereumTx) {
    const given = messageDescriptor(packed?.typeUrl.slice(1) ?? '').goName
    throw sdkError('unknownRequest', `invalid message type *${given}, expected *types.MsgEthereumTx`)
  }
  const { message, sender } = packedMessage(packed.value)
  progress.info = infoOfEthereum(message)
  const price = anteEthereum(context, message, { coin, sender, wrapping: tx })
  keep(context, progress, first)
  progress.gasWanted = message.tx.gasLimit
  if (isChecking(context)) return new Uint8Array(0)
  const before = context.events.length
  emit(context, 'message', { action: packed.typeUrl, sender: accountText(context, message.from) })
  const { gas, response } = insideMessage(0, () => {
    try {
      return runEthereumTx(context, { message, coin, price, bytes: tx.bytes })
    } catch (error) {
      // A transaction that cannot be applied costs its whole limit (x/vm ApplyTransaction).
      if (error instanceof TxError) progress.gas = { consumed: () => message.tx.gasLimit }
      throw error
    }
  })
  indexMessage(context.events, before, 0)
  progress.gas = { consumed: () => gas }
  return encodeEthereumResponse(response)
}

function runCosmos(start: Context, tx: DecodedTx, progress: Progress): Uint8Array {
  const first = start.events.length
  progress.gasWanted = -1n
  checkExtensionRoute(tx)
  // Building the ante chain reads the fee market's parameters before a gas meter exists.
  const params = getFeemarketParams(start)
  checkRoute(tx)
  // A simulation has no limit, which is -1 here: Go reads it as all bits set. In a result the limit
  // is signed.
  progress.gasWanted = start.mode === 'simulate' ? -1n : BigInt.asIntN(64, tx.fee.gasLimit)
  progress.gas = { consumed: () => 0n }
  const context = withTxGas(start, tx)
  progress.gas = context.gas
  anteCosmos(context, tx, params)
  progress.info = infoOfCosmos(start, tx, evmCoin(start))
  keep(context, progress, first)
  if (isChecking(context)) return new Uint8Array(0)
  const msgResponses = tx.messages.map((message, index) => runMessage(context, message, index))
  return txMsgData.encode({ msgResponses })
}

function runMessage(context: Context, message: Any, index: number): Any {
  const before = context.events.length
  const value = insideMessage(index, () => runHandler(context, message))
  indexMessage(context.events, before, index)
  return { typeUrl: `${message.typeUrl}Response`, value }
}

/** Runs a message. If it fails, the error names the index of the message. */
function insideMessage<Result>(index: number, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal === undefined) throw error
    throw refusal.inside(`failed to execute message; message index: ${index}`)
  }
}

function keep(context: Context, progress: Progress, first: number): void {
  progress.kept = context.events.length - first
  progress.mark = context.draft.mark()
  progress.isPastAnte = true
}

/** Adds the message's index in the transaction to its events. */
function indexMessage(events: AbciEvent[], from: number, index: number): void {
  addAttribute(events, from, { key: 'msg_index', value: index.toString(), index: true })
}

function succeeded(context: Context, data: Uint8Array, progress: Progress, first: number): TxResult {
  const events = context.events.slice(first)
  context.events.length = first
  const gasUsed = progress.gas.consumed()
  const { gasWanted } = progress
  return { code: 0, data, log: '', info: '', gasWanted, gasUsed, events, codespace: '' }
}

function failed(
  refusal: TxError,
  { gas, gasWanted }: Pick<Progress, 'gas' | 'gasWanted'>,
  events: readonly AbciEvent[],
): TxResult {
  return {
    code: refusal.abciCode,
    data: undefined,
    log: refusal.message,
    info: '',
    gasWanted,
    gasUsed: gas.consumed(),
    events,
    codespace: refusal.codespace,
  }
}

function isBug(error: unknown): boolean {
  return !isExpected(error) && refusalOf(error) === undefined
}

/** Returns the name of a transaction for the log. */
function whereabouts({ mode, block: { height } }: Context, bytes: Uint8Array): string {
  return `transaction ${plainHexOf(sha256(bytes))} (${mode}, height ${height})`
}

function infoOfEthereum({ raw, hash, from, tx }: RecoveredTx): TxInfo {
  return {
    ethHash: hash,
    sender: from,
    nonce: tx.nonce,
    gasLimit: tx.gasLimit,
    feeCap: tx.gasPrice,
    tipCap: tx.priorityFee ?? tx.gasPrice,
    ethSize: raw.length,
    cost: tx.gasLimit * tx.gasPrice + tx.value,
    authorities: authoritiesOf(tx),
    kind: 'ethereum',
  }
}

function authoritiesOf({ authorizations }: EvmTx): readonly Uint8Array[] {
  const signed = authorizations.flatMap(({ authority }) => authority ?? [])
  return signed.length < 2 ? signed : [...new Map(signed.map((one) => [hexOf(one), one])).values()]
}

/**
 * Returns what the mempool needs of a Cosmos transaction. Its price counts in wei, but its tip whole coins, which the
 * node compares with tips in wei (cosmos/evm mempool/iterator.go extractCosmosEffectiveTip).
 */
function infoOfCosmos(
  at: Addressing,
  { messages, signers, fee }: DecodedTx,
  { denom, factor }: EvmCoin,
): TxInfo | undefined {
  const [sender] = signersOf(at, messages)
  if (sender === undefined) return undefined
  const paid = fee.amount.find((coin) => coin.denom === denom)?.amount ?? '0'
  const amount = /^\d+$/.test(paid) ? BigInt(paid) : 0n
  const perGas = (sum: bigint): bigint => (fee.gasLimit === 0n ? 0n : sum / fee.gasLimit)
  return {
    ethHash: undefined,
    sender,
    nonce: signers[0]?.sequence ?? 0n,
    gasLimit: fee.gasLimit,
    feeCap: perGas(amount * factor),
    tipCap: perGas(amount),
    ethSize: 0,
    cost: 0n,
    authorities: [],
    kind: 'cosmos',
  }
}
