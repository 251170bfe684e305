/** Decodes transaction bytes as the SDK does (x/auth/tx decoder, ADR-027). */
import {
  type Any,
  AuthInfo,
  Fee,
  LegacyAminoPubKey,
  type ModeInfo,
  TxBody,
  TxRaw,
} from '../../../codec/messages/cosmos.ts'
import { decodeEthTx } from '../../../codec/ethTx.ts'
import { timestamp } from '../../../codec/protobuf/timestamp.ts'
import { extensionOptionDynamicFeeTx, msgEthereumTx, typeUrls } from '../../../codec/messages/cosmosEvm.ts'
import { bool, message, nested } from '../../../codec/protobuf/message.ts'
import { ProtobufError, readFields } from '../../../codec/protobuf/wire.ts'
import { isImplementation } from '../../../codec/schema/files.ts'
import { refuseUnknownFields } from '../../../codec/schema/unknownFields.ts'
import { isR1Point } from '../../../crypto/secp256r1.ts'
import { remembered } from '../../../data/remembered.ts'
import type { Time } from '../../../data/time.ts'
import { isExpected } from '../../../errors.ts'
import { refusalOf, sdkError, TxError } from '../txError.ts'
import { amountOf, anyMessage, integerOf } from '../wire.ts'
import { isKnownMessage, signersOf } from '../messages.ts'
import { checkRawTx } from './rawTx.ts'
import { equalBytes } from '../../../data/bytes.ts'
import { type Addressing, addressOf, type AddressTexts, addressTexts } from '../address.ts'

/** A decoded transaction, with the signed bytes of its parts. */
export type DecodedTx = {
  readonly bytes: Uint8Array
  readonly bodyBytes: Uint8Array
  readonly authInfoBytes: Uint8Array
  readonly body: TxBody
  /** Whether the body has unknown fields. Only non-critical ones are accepted. */
  readonly hasUnknownFields: boolean
  readonly isUnordered: boolean
  /** The latest block time at which a block may include it; undefined without a limit. */
  readonly timeout: Time | undefined
  readonly fee: Fee
  /** Whether the transaction has a fee at all, even an empty one. */
  readonly hasFee: boolean
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
 * Returns a decoded transaction. Throws `TxError` with the SDK's `tx parse error`. Results are
 * cached, because the same bytes are checked, executed and shown.
 */
export const decodeTx = remembered<Uint8Array, DecodedTx>(decodeFresh)

function decodeFresh(bytes: Uint8Array): DecodedTx {
  try {
    checkRawTx(bytes)
    refuseUnknownFields('cosmos.tx.v1beta1.TxRaw', bytes)
    const raw = TxRaw.decode(bytes)
    const { bodyBytes, authInfoBytes } = raw
    const hasUnknownFields = refuseUnknownFields('cosmos.tx.v1beta1.TxBody', bodyBytes, { allowsNonCritical: true })
    refuseUnknownFields('cosmos.tx.v1beta1.AuthInfo', authInfoBytes)
    return { ...parts(bytes, raw), hasUnknownFields }
  } catch (error) {
    if (!isExpected(error)) throw error
    throw new TxUndecoded(error.message)
  }
}

/** The decoder's error for malformed bytes, which the application wraps once more. */
class TxUndecoded extends TxError {
  readonly inner: TxError

  constructor(why: string) {
    const inner = sdkError('txDecode', why)
    super(sdkError('txDecode', inner.message).parts, { code: inner.abciCode, codespace: inner.codespace })
    this.inner = inner
  }
}

/** Throws the decoder's own `TxError` for bytes that are no transaction. */
export function checkDecodes(bytes: Uint8Array): void {
  try {
    decodeTx(bytes)
  } catch (error) {
    throw error instanceof TxUndecoded ? error.inner : error
  }
}

/**
 * Returns the Ethereum transaction bytes and the sender of each `MsgEthereumTx` in a transaction.
 */
export function ethereumMessages(
  messages: readonly Any[],
): readonly { readonly from: Uint8Array; readonly raw: Uint8Array }[] {
  return messages
    .filter(({ typeUrl }) => typeUrl === typeUrls.msgEthereumTx)
    .map(({ value }) => msgEthereumTx.decode(value))
}

// Fields of TxBody added in SDK 0.53.
const timingMessage = message<{ isUnordered: boolean; timeout: Time | undefined }>({
  4: ['isUnordered', bool],
  5: ['timeout', nested(timestamp)],
})

function parts(
  bytes: Uint8Array,
  { bodyBytes, authInfoBytes, signatures }: TxRaw,
): Omit<DecodedTx, 'hasUnknownFields'> {
  const body = TxBody.decode(bodyBytes)
  const { isUnordered, timeout } = timingMessage.decode(bodyBytes)
  const authInfo = AuthInfo.decode(authInfoBytes)
  for (const each of body.messages) checkKnown(each)
  body.extensionOptions.forEach(checkExtension)
  body.nonCriticalExtensionOptions.forEach(checkExtension)
  checkSigners(body.messages)
  const signers = authInfo.signerInfos.map(({ publicKey, modeInfo, sequence }) => ({ publicKey, modeInfo, sequence }))
  for (const { publicKey } of signers) checkKey(publicKey)
  const fee = authInfo.fee === undefined ? Fee.decode(new Uint8Array(0)) : readFee(authInfo.fee)
  return {
    bytes,
    bodyBytes,
    authInfoBytes,
    body,
    isUnordered,
    timeout,
    fee,
    hasFee: authInfo.fee !== undefined,
    signers,
    signatures,
    messages: body.messages,
  }
}

/**
 * Throws if a message cannot be decoded, because the SDK decodes messages with the transaction. An
 * invalid signer address is rejected by the ante chain.
 */
function checkSigners(messages: readonly Any[]): void {
  for (const message of messages) {
    try {
      signersOf(anyPrefix, [message])
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal === undefined) throw error
      if (refusal.abciCode !== 2) continue
      throw new ProtobufError(refusal.message.replace(/: tx parse error$/, ''))
    }
  }
}

/** A prefix for reading signers whose addresses do not matter. */
const anyPrefix: Addressing = { fixed: { addressTexts: addressTexts('cosmos') } }

const extensionUrls: readonly string[] = [
  typeUrls.extensionOptionsEthereumTx,
  typeUrls.extensionOptionDynamicFeeTx,
  '/cosmos.evm.eip712.v1.ExtensionOptionsWeb3Tx',
]

/** Throws for a signer's or validator's key, or one in a multisig, whose type is none of a key. */
function checkKey(key: Any | undefined): void {
  if (key === undefined) return
  if (!isImplementation(key.typeUrl, 'cosmos.crypto.PubKey')) {
    throw new ProtobufError(`no concrete type registered for type URL ${key.typeUrl} against interface *types.PubKey`)
  }
  if (key.typeUrl === '/cosmos.crypto.secp256r1.PubKey') checkR1Key(key.value)
  if (key.typeUrl !== '/cosmos.crypto.multisig.LegacyAminoPubKey') return
  for (const each of LegacyAminoPubKey.decode(key.value).publicKeys) checkKey(each)
}

/** Throws for a key of P-256 that is no point of it; one without bytes has its error later. */
function checkR1Key(value: Uint8Array): void {
  for (const { number, wireType, value: key } of readFields(value)) {
    if (number !== 1 || wireType !== 2 || (key.length === 33 && isR1Point(key))) continue
    const why = key.length === 33 ? `unknown curve type: ${key[0]}` : `expecting 33 bytes, got ${key.length}`
    throw new ProtobufError(`wrong ECDSA PK bytes, ${why}: invalid pubkey`)
  }
}

/** Throws for an extension option that the SDK's interface registry cannot unpack. */
function checkExtension({ typeUrl, value }: Any): void {
  if (!extensionUrls.includes(typeUrl)) {
    throw new ProtobufError(
      isKnownMessage(typeUrl)
        ? `no concrete type registered for type URL ${typeUrl} against interface *tx.TxExtensionOptionI`
        : `unable to resolve type URL ${typeUrl}`,
    )
  }
  if (typeUrl !== typeUrls.extensionOptionDynamicFeeTx) return
  integerOf(extensionOptionDynamicFeeTx.decode(value).maxPriorityPrice)
}

/**
 * Returns a fee with its amounts in decimal digits; an empty one, which is none, stays. Throws if
 * the SDK cannot decode one with the transaction.
 */
function readFee(fee: Fee): Fee {
  const amount = fee.amount.map((coin) =>
    coin.amount === '' ? coin : { ...coin, amount: amountOf(coin.amount).toString() },
  )
  return { ...fee, amount }
}

/** Types of messages that contain messages, with the number of the field. */
const carriers: Readonly<Record<string, number>> = {
  '/cosmos.gov.v1.MsgSubmitProposal': 1,
  '/cosmos.authz.v1beta1.MsgExec': 2,
}

function checkKnown({ typeUrl, value }: Pick<Any, 'typeUrl' | 'value'>): void {
  if (!isImplementation(typeUrl, 'cosmos.base.v1beta1.Msg')) {
    throw new ProtobufError(
      `no concrete type registered for type URL ${typeUrl} against interface ` +
        '*interface { ProtoMessage(); Reset(); String() string }',
    )
  }
  // Of the node's messages, only those of IBC have no handler here.
  if (!isKnownMessage(typeUrl)) throw new ProtobufError(`chainstage does not simulate IBC and refuses ${typeUrl}`)
  // The SDK decodes an Ethereum transaction with its message; an empty one is rejected later.
  if (typeUrl === typeUrls.msgEthereumTx) {
    const { raw } = msgEthereumTx.decode(value)
    if (raw.length > 0) decodeEthTx(raw)
  }
  if (typeUrl === '/cosmos.staking.v1beta1.MsgCreateValidator') {
    for (const { number, wireType, value: packed } of readFields(value)) {
      if (number === 6 && wireType === 2) checkKey(anyMessage.decode(packed))
    }
  }
  const field = carriers[typeUrl]
  if (field === undefined) return
  for (const { number, wireType, value: packed } of readFields(value)) {
    if (number === field && wireType === 2) checkKnown(anyMessage.decode(packed))
  }
}

/** Returns the required signers: those of the messages, then the fee payer. */
export function txSigners(at: Addressing, tx: DecodedTx): readonly Uint8Array[] {
  return signersBy(at.fixed.addressTexts)(tx)
}

/** Makes the signers of a transaction known. */
export function keepSigners({ fixed }: Addressing, tx: DecodedTx, signers: readonly Uint8Array[]): void {
  signersBy(fixed.addressTexts).keep(tx, signers)
}

const signersBy = remembered((addressTexts: AddressTexts) =>
  remembered(({ messages, fee }: DecodedTx): readonly Uint8Array[] => {
    const at = { fixed: { addressTexts } }
    const signers = signersOf(at, messages)
    if (fee.payer === '') return signers
    const payer = addressOf(at, fee.payer)
    return signers.some((each) => equalBytes(each, payer)) ? signers : [...signers, payer]
  }),
)
