/** What the application knows of a kind of message: who signs it and what it does. */
import type { Message } from '../../../codec/protobuf/message.ts'
import { ProtobufError } from '../../../codec/protobuf/wire.ts'
import type { Context } from '../context.ts'
import { sdkError, TxError } from '../txError.ts'

/** `run` returns the protobuf of the response, whose type is the message's with `Response`. */
export type Handler = {
  /** Throws what is wrong with the message in itself, before anything else is looked at. */
  readonly validate?: (value: Uint8Array) => void
  readonly signers: (value: Uint8Array) => readonly Uint8Array[]
  readonly run: (context: Context, value: Uint8Array) => Uint8Array
}

/** The answer of most messages. */
const noResponse = new Uint8Array(0)

/**
 * Returns the handler of a message with one signer. Bytes that are no such message are `tx parse
 * error`.
 */
export function handler<Value>(
  codec: Message<Value>, signer: (message: Value) => Uint8Array,
  run: (context: Context, message: Value) => Uint8Array | void,
): Handler {
  return {
    signers: (value) => [signer(decoded(codec, value))],
    run: (context, value) => run(context, decoded(codec, value)) ?? noResponse,
  }
}

/** Returns the handler with a check of the message in itself (the SDK's ValidateBasic). */
export function validated<Value>(
  codec: Message<Value>, check: (message: Value) => void, made: Handler,
): Handler {
  return { ...made, validate: (value) => check(decoded(codec, value)) }
}

function decoded<Value>(codec: Message<Value>, value: Uint8Array): Value {
  try {
    return codec.decode(value)
  } catch (error) {
    if (error instanceof TxError) throw error
    const text = error instanceof ProtobufError || error instanceof Error
      ? error.message
      : String(error)
    throw sdkError('txDecode', text)
  }
}
