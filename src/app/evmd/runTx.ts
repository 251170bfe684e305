/** One transaction through ante chain and messages (cosmos-sdk baseapp runTx). */
import { Any } from '../../codec/protobuf/cosmos.ts'
import { msgEthereumTx, txMsgData, typeUrls } from '../../codec/protobuf/cosmosEvm.ts'
import { remembered } from '../../data/remembered.ts'
import { thrownText } from '../../errors.ts'
import type { AbciEvent, TxResult } from '../abci.ts'
import type { TxInfo } from '../application.ts'
import type { RecoveredTx } from '../ethereumView.ts'
import { OutOfGas } from '../gasMeter.ts'
import { accountText } from './address.ts'
import { anteCosmos, checkRoute, withTxGas } from './ante/cosmos.ts'
import { anteEthereum } from './ante/ethereum.ts'
import { checkBasics, checkWrapping } from './ante/ethereumRules.ts'
import { consensusParams } from './consensus.ts'
import { emit, withGas, type Context } from './context.ts'
import { recoverTx } from './ethereum/recover.ts'
import { responseUrl, runEthereumTx } from './ethereumTx.ts'
import { infiniteGasMeter } from '../gasMeter.ts'
import { getEvmParams } from './modules/evm/store.ts'
import { getFeemarketParams } from './modules/feemarket/params.ts'
import { decodeTx, type DecodedTx } from './tx/decodeTx.ts'
import { runHandler } from './tx/runHandler.ts'
import { handlerOf, signersOf } from './tx/messages.ts'
import { goError, refusalOf, sdkError, TxError } from './txError.ts'

/** `refusal` is set when it failed; `info` when it could be read. */
export type Ran = {
  readonly result: TxResult
  readonly info: TxInfo | undefined
  readonly refusal: TxError | undefined
}

/**
 * Runs a transaction on the draft of the context: all of it in a block or a simulation, the ante
 * chain only in CheckTx. What a failing ante chain did is taken back; what failing messages did
 * too.
 */
export function runTx(context: Context, bytes: Uint8Array): Ran {
  const start = withGas(context, infiniteGasMeter())
  consensusParams(start)
  const mark = context.draft.mark()
  const progress: Progress = { gas: start.gas, gasWanted: 0n, info: undefined, kept: 0, mark }
  const first = context.events.length
  try {
    const tx = decodeTx(bytes)
    checkMessages(tx)
    const isEthereum = tx.body.extensionOptions[0]?.typeUrl === typeUrls.extensionOptionsEthereumTx
    const data = isEthereum ? runEthereum(start, tx, progress) : runCosmos(start, tx, progress)
    const result = succeeded(context, data, progress, first)
    return { result, info: progress.info, refusal: undefined }
  } catch (error) {
    const refusal = refusalOrThrow(error)
    context.draft.cut(progress.mark)
    const events = context.events.slice(first, first + progress.kept)
    context.events.length = first
    return { result: failed(refusal, progress, events), info: progress.info, refusal }
  }
}

/** How far a transaction came: `kept` events and the changes before `mark` stay when it fails. */
type Progress = {
  gas: { readonly consumed: () => bigint }
  gasWanted: bigint
  info: TxInfo | undefined
  kept: number
  mark: number
}

function checkMessages(tx: DecodedTx): void {
  if (tx.messages.length === 0) {
    throw sdkError('invalidRequest', 'must contain at least one message')
  }
  for (const message of tx.messages) {
    if (message.typeUrl === typeUrls.msgEthereumTx) checkBasics(ethereumOf(message).message)
    else handlerOf(message).validate?.(message.value)
  }
}

type EthereumMessage = { readonly message: RecoveredTx; readonly sender: Uint8Array }

function ethereumOf({ value }: Any): EthereumMessage {
  return recoveredMessage(value)
}

const recoveredMessage = remembered((value: Uint8Array): EthereumMessage => {
  const { from, raw } = msgEthereumTx.decode(value)
  try {
    return { message: recoverTx(raw), sender: from }
  } catch (error) {
    throw goError(thrownText(error))
  }
})

function runEthereum(start: Context, tx: DecodedTx, progress: Progress): Uint8Array {
  const first = start.events.length
  const context = withoutGas(start)
  progress.gasWanted = -1n
  progress.gas = { consumed: () => 0n }
  const [packed] = tx.messages
  if (packed?.typeUrl !== typeUrls.msgEthereumTx) {
    throw sdkError('unknownRequest', 'invalid message type')
  }
  const { message, sender } = ethereumOf(packed)
  const denom = getEvmParams(context).evmDenom
  progress.info = infoOfEthereum(message)
  checkWrapping(tx, message, { denom, sender })
  const price = anteEthereum(context, message, denom)
  keep(context, progress, first)
  progress.gasWanted = message.tx.gasLimit
  if (!executes(context)) return new Uint8Array(0)
  const before = context.events.length
  emit(context, 'message', { action: packed.typeUrl, sender: accountText(message.from) })
  const { gas, response } = runEthereumTx(context, { message, denom, price, bytes: tx.bytes })
  indexMessage(context.events, before, 0)
  progress.gas = { consumed: () => gas }
  return txMsgData.encode({ msgResponses: [{ typeUrl: responseUrl, value: response }] })
}

function runCosmos(start: Context, tx: DecodedTx, progress: Progress): Uint8Array {
  const first = start.events.length
  progress.gasWanted = -1n
  // The ante chain is put together with the fee market's parameters, before a gas meter is set up.
  const params = getFeemarketParams(start)
  checkRoute(tx)
  // A simulation has no limit, which Go reads as all bits set.
  progress.gasWanted = start.mode === 'simulate' ? -1n : tx.fee.gasLimit
  const context = withTxGas(start, tx)
  progress.gas = context.gas
  progress.info = infoOfCosmos(tx)
  anteCosmos(context, tx, params)
  keep(context, progress, first)
  if (!executes(context)) return new Uint8Array(0)
  const msgResponses = tx.messages.map((message, index) => runMessage(context, message, index))
  return txMsgData.encode({ msgResponses })
}

function runMessage(context: Context, message: Any, index: number): Any {
  const before = context.events.length
  try {
    const value = runHandler(context, message)
    indexMessage(context.events, before, index)
    return { typeUrl: `${message.typeUrl}Response`, value }
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal === undefined) throw error
    throw refusal.inside(`failed to execute message; message index: ${index}`)
  }
}

function keep(context: Context, progress: Progress, first: number): void {
  progress.kept = context.events.length - first
  progress.mark = context.draft.mark()
}

function executes({ mode }: Context): boolean {
  return mode !== 'check' && mode !== 'recheck'
}

/** Events of a message carry its place in the transaction. */
function indexMessage(events: AbciEvent[], from: number, index: number): void {
  const attribute = { key: 'msg_index', value: index.toString(), index: true }
  for (let at = from; at < events.length; at++) {
    const event = events[at]
    if (event !== undefined) events[at] = { ...event, attributes: [...event.attributes, attribute] }
  }
}

function succeeded(
  context: Context, data: Uint8Array, progress: Progress, first: number,
): TxResult {
  const events = executes(context) ? context.events.slice(first) : []
  context.events.length = first
  const gasUsed = progress.gas.consumed()
  const { gasWanted } = progress
  return { code: 0, data, log: '', info: '', gasWanted, gasUsed, events, codespace: '' }
}

function failed(refusal: TxError, progress: Progress, events: readonly AbciEvent[]): TxResult {
  return {
    code: refusal.abciCode, data: undefined, log: refusal.message, info: '',
    gasWanted: progress.gasWanted, gasUsed: progress.gas.consumed(), events,
    codespace: refusal.codespace,
  }
}

function refusalOrThrow(error: unknown): TxError {
  if (error instanceof OutOfGas) return sdkError('outOfGas', error.message)
  const refusal = refusalOf(error)
  if (refusal === undefined) throw error
  return refusal
}

function infoOfEthereum({ raw, hash, from, tx }: RecoveredTx): TxInfo {
  return {
    ethHash: hash, sender: from, nonce: tx.nonce, gasLimit: tx.gasLimit, feeCap: tx.gasPrice,
    tipCap: tx.priorityFee ?? tx.gasPrice, ethSize: raw.length, kind: 'ethereum',
  }
}

function infoOfCosmos({ messages, signers, fee }: DecodedTx): TxInfo | undefined {
  const [sender] = signersOf(messages)
  if (sender === undefined) return undefined
  const amount = fee.amount[0]?.amount ?? '0'
  const price = fee.gasLimit === 0n || !/^\d+$/.test(amount) ? 0n : BigInt(amount) / fee.gasLimit
  return {
    ethHash: undefined, sender, nonce: signers[0]?.sequence ?? 0n, gasLimit: fee.gasLimit,
    feeCap: price, tipCap: price, ethSize: 0, kind: 'cosmos',
  }
}

function withoutGas(context: Context): Context {
  return { ...context, store: (name) => context.draft.raw(name) }
}
