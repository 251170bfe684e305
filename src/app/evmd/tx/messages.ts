/** The messages that the application can decode, and who signs them. */
import { Any, MsgMultiSend, MsgSend } from '../../../codec/protobuf/cosmos.ts'
import { msgEthereumTx, typeUrls } from '../../../codec/protobuf/cosmosEvm.ts'
import { addressOf } from '../address.ts'
import type { Context } from '../context.ts'
import { multiSend, send } from '../modules/bank/messages.ts'
import { sdkError } from '../txError.ts'

/** `run` returns the protobuf of the response, whose type is the message's with `Response`. */
type Handler = {
  readonly signers: (value: Uint8Array) => readonly Uint8Array[]
  readonly module: string | undefined
  readonly run: (context: Context, value: Uint8Array) => Uint8Array
}

const handlers: Readonly<Record<string, Handler>> = {
  '/cosmos.bank.v1beta1.MsgSend': {
    module: 'bank',
    signers: (value) => [addressOf(MsgSend.decode(value).fromAddress)],
    run: (context, value) => send(context, MsgSend.decode(value)),
  },
  '/cosmos.bank.v1beta1.MsgMultiSend': {
    module: 'bank',
    signers: (value) => MsgMultiSend.decode(value).inputs.map(({ address }) => addressOf(address)),
    run: (context, value) => multiSend(context, MsgMultiSend.decode(value)),
  },
}

/** Messages that are recognised, so that they are refused by name and not as garbage. */
const unsupported = new Set([
  '/cosmos.staking.v1beta1.MsgDelegate', '/cosmos.staking.v1beta1.MsgUndelegate',
  '/cosmos.staking.v1beta1.MsgBeginRedelegate', '/cosmos.gov.v1beta1.MsgVote',
  '/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward',
])

/** Returns whether a type URL names a message of this application. */
export function isKnownMessage(typeUrl: string): boolean {
  return typeUrl === typeUrls.msgEthereumTx || typeUrl in handlers || unsupported.has(typeUrl)
}

/** Returns the handler of a Cosmos message; throws the SDK's `unknown request` when there is none. */
export function handlerOf({ typeUrl }: Any): Handler {
  const handler = handlers[typeUrl]
  if (handler !== undefined) return handler
  throw sdkError('unknownRequest', `no message handler found for ${typeUrl}`)
}

/** Returns the addresses that must sign a transaction: each once, in the order of the messages. */
export function signersOf(messages: readonly Any[]): readonly Uint8Array[] {
  const all = messages.flatMap((message) => (
    message.typeUrl === typeUrls.msgEthereumTx
      ? [msgEthereumTx.decode(message.value).from]
      : handlerOf(message).signers(message.value)
  ))
  const seen = new Set<string>()
  return all.filter((address) => {
    const key = address.join()
    return seen.has(key) ? false : seen.add(key)
  })
}
