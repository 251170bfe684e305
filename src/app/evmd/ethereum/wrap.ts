/** Ethereum transactions wrapped in CometBFT transactions (cosmos-evm-rpc.md §4.1). */
import { TxBody } from '../../../codec/messages/cosmos.ts'
import { msgEthereumTx, typeUrls } from '../../../codec/messages/cosmosEvm.ts'
import { always, bytes, message, repeated, uint64 } from '../../../codec/protobuf/message.ts'
import { remembered } from '../../../data/remembered.ts'
import { isExpected } from '../../../errors.ts'
import type { RecoveredTx } from '../../ethereumView.ts'
import type { Addressing } from '../address.ts'
import type { Coin } from '../coins.ts'
import { decodeTx, type DecodedTx, ethereumMessages, keepSigners } from '../tx/decodeTx.ts'
import { goError, sdkError } from '../txError.ts'
import { anyMessage, coinField, type StoredAny } from '../wire.ts'
import { recoverTx } from './recover.ts'

type Body = { messages: readonly StoredAny[]; extensions: readonly StoredAny[] }
type Fee = { amount: readonly Coin[]; gasLimit: bigint }

// Some fields of the SDK's Tx, in its order. The generated code takes five times as long.
const bodyMessage = message<Body>({
  1: ['messages', repeated(always(anyMessage))],
  1023: ['extensions', repeated(always(anyMessage))],
})
const authMessage = message<{ fee: Fee }>({
  2: ['fee', always(message<Fee>({ 1: ['amount', repeated(coinField)], 2: ['gasLimit', uint64] }))],
})
const rawMessage = message<{
  body: Uint8Array
  auth: Uint8Array
}>({ 1: ['body', bytes], 2: ['auth', bytes] })
const extension: StoredAny = {
  typeUrl: typeUrls.extensionOptionsEthereumTx,
  value: new Uint8Array(0),
}

/** An Ethereum transaction as decoded from a message; `sender` is the sender the message claims. */
export type PackedMessage = { readonly message: RecoveredTx; readonly sender: Uint8Array }

/**
 * Returns the contents of an encoded `MsgEthereumTx`. Throws if it is incomplete (x/vm
 * MsgEthereumTx.ValidateBasic), and Go's error if it holds no transaction.
 */
export const packedMessage = remembered((value: Uint8Array): PackedMessage => {
  const { from, raw } = msgEthereumTx.decode(value)
  if (raw.length === 0) throw sdkError('invalidRequest', 'raw transaction is required')
  if (from.length === 0) throw sdkError('invalidRequest', 'sender address is missing')
  try {
    return { message: recoverTx(raw), sender: from }
  } catch (error) {
    throw isExpected(error) ? goError(error.message) : error
  }
})

/**
 * Returns the only valid encoding of the CometBFT transaction around an Ethereum transaction. The
 * decoded form is cached under these bytes, so they are never decoded.
 */
export function wrapTx(at: Addressing, recovered: RecoveredTx, denom: string): Uint8Array {
  const {
    tx: { gasLimit, gasPrice },
    from,
    raw,
  } = recovered
  const value = msgEthereumTx.encode({ from, raw })
  const messages = [{ typeUrl: typeUrls.msgEthereumTx, value }]
  const cost = gasLimit * gasPrice
  const amount = cost === 0n ? [] : [{ denom, amount: cost }]
  const bodyBytes = bodyMessage.encode({ messages, extensions: [extension] })
  const authInfoBytes = authMessage.encode({ fee: { amount, gasLimit } })
  const bytes = rawMessage.encode({ body: bodyBytes, auth: authInfoBytes })
  packedMessage.keep(value, { message: recovered, sender: from })
  unwrapTx.keep(bytes, [recovered])
  const decoded: DecodedTx = {
    bytes,
    bodyBytes,
    authInfoBytes,
    messages,
    body: { ...emptyBody, messages, extensionOptions: [extension] },
    isUnordered: false,
    timeout: undefined,
    signers: [],
    signatures: [],
    hasUnknownFields: false,
    hasFee: true,
    fee: {
      amount: amount.map((coin) => ({ denom, amount: coin.amount.toString() })),
      gasLimit,
      payer: '',
      granter: '',
    },
  }
  decodeTx.keep(bytes, decoded)
  keepSigners(at, decoded, [from])
  return bytes
}

const emptyBody = TxBody.decode(new Uint8Array(0))

/**
 * Returns the Ethereum transactions inside CometBFT transaction bytes; none if there are none or
 * the bytes are malformed.
 */
export const unwrapTx = remembered((bytes: Uint8Array): readonly RecoveredTx[] => {
  try {
    return ethereumMessages(decodeTx(bytes).messages).map(({ raw }) => recoverTx(raw))
  } catch (error) {
    if (isExpected(error)) return []
    throw error
  }
})
