/** Transaction bytes as the SDK takes them apart (x/auth/tx decoder, ADR-027). */
import { Any, AuthInfo, Fee, type ModeInfo, TxBody, TxRaw } from '../../../codec/protobuf/cosmos.ts'
import { msgEthereumTx, typeUrls } from '../../../codec/protobuf/cosmosEvm.ts'
import {
  authInfoShape, txBodyShape, unknownFields, unknownFieldText, type Shape,
} from '../../../codec/protobuf/unknownFields.ts'
import { ProtobufError, readFields } from '../../../codec/protobuf/wire.ts'
import { remembered } from '../../../data/remembered.ts'
import { thrownText } from '../../../errors.ts'
import { refusalOf, sdkError } from '../txError.ts'
import { anyMessage } from '../wire.ts'
import { isKnownMessage, signersOf } from './messages.ts'
import { checkRawTx } from './rawTx.ts'

/** A transaction with its parts both decoded and as the bytes that were signed. */
export type DecodedTx = {
  readonly bytes: Uint8Array
  readonly bodyBytes: Uint8Array
  readonly authInfoBytes: Uint8Array
  readonly body: TxBody
  readonly fee: Fee
  readonly signers: readonly Signer[]
  readonly signatures: readonly Uint8Array[]
  readonly messages: readonly Any[]
}

export type Signer = {
  readonly publicKey: Any | undefined
  readonly modeInfo: ModeInfo | undefined
  readonly sequence: bigint
}

/**
 * Returns the parts of a transaction; throws `TxError` with the SDK's `tx parse error`. The same
 * bytes are checked, executed and shown: they are taken apart once.
 */
export const decodeTx: (bytes: Uint8Array) => DecodedTx = remembered(decodeFresh)

function decodeFresh(bytes: Uint8Array): DecodedTx {
  try {
    checkRawTx(bytes)
    const raw = TxRaw.decode(bytes)
    refuseUnknown(raw.bodyBytes, txBodyShape)
    refuseUnknown(raw.authInfoBytes, authInfoShape)
    return parts(bytes, raw)
  } catch (error) {
    const text = thrownText(error)
    throw sdkError('txDecode', `${text}: tx parse error`)
  }
}

/**
 * Returns the Ethereum transaction's bytes and sender of each `MsgEthereumTx` in the messages of a
 * transaction.
 */
export function ethereumMessages(
  messages: readonly Any[],
): readonly { readonly from: Uint8Array; readonly raw: Uint8Array }[] {
  return messages
    .filter(({ typeUrl }) => typeUrl === typeUrls.msgEthereumTx)
    .map(({ value }) => msgEthereumTx.decode(value))
}

function parts(bytes: Uint8Array, { bodyBytes, authInfoBytes, signatures }: TxRaw): DecodedTx {
  const body = TxBody.decode(bodyBytes)
  const authInfo = AuthInfo.decode(authInfoBytes)
  for (const message of body.messages) checkKnown(message)
  checkSigners(body.messages)
  const signers = authInfo.signerInfos.map(({ publicKey, modeInfo, sequence }) => (
    { publicKey, modeInfo, sequence }
  ))
  const fee = authInfo.fee ?? Fee.fromPartial({})
  return {
    bytes, bodyBytes, authInfoBytes, body, fee, signers, signatures, messages: body.messages,
  }
}

/**
 * The SDK looks for the signers when it decodes: what is no message, or names nobody, ends here.
 */
function checkSigners(messages: readonly Any[]): void {
  try {
    signersOf(messages)
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal === undefined) throw error
    throw new ProtobufError(refusal.message.replace(/: (invalid address|tx parse error)$/, ''))
  }
}

/** Messages that carry messages, and in which field. */
const carriers: Readonly<Record<string, number>> = {
  '/cosmos.gov.v1.MsgSubmitProposal': 1, '/cosmos.authz.v1beta1.MsgExec': 2,
}

function checkKnown({ typeUrl, value }: Pick<Any, 'typeUrl' | 'value'>): void {
  if (!isKnownMessage(typeUrl)) throw new ProtobufError(`unable to resolve type URL ${typeUrl}`)
  const field = carriers[typeUrl]
  if (field === undefined) return
  for (const { number, wireType, value: packed } of readFields(value)) {
    if (number === field && wireType === 2) checkKnown(anyMessage.decode(packed))
  }
}

function refuseUnknown(bytes: Uint8Array, shape: Shape): void {
  const critical = unknownFields(bytes, shape, () => undefined).find((field) => field.critical)
  if (critical !== undefined) throw new ProtobufError(unknownFieldText(critical))
}
