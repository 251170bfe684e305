/** Handlers: the signers and the execution of a message type. */
import type { Message } from '../../../codec/protobuf/message.ts'
import type { Addressing } from '../address.ts'
import type { Context, Handler } from '../context.ts'
import { refusalOf } from '../txError.ts'

/** The response of most messages. */
const noResponse = new Uint8Array(0)

/** Returns the handler of a message with one signer. Malformed bytes fail with `tx parse error`. */
export function handler<Value>(
  codec: Message<Value>,
  signer: (message: Value, at: Addressing) => Uint8Array,
  // biome-ignore lint/suspicious/noConfusingVoidType: most messages have no response
  run: (context: Context, message: Value) => Uint8Array | void,
): Handler {
  return {
    signers: (value, at) => [signer(decoded(codec, value), at)],
    run: (context, value) => run(context, decoded(codec, value)) ?? noResponse,
  }
}

/** Returns the handler with a stateless check of the message (the SDK's ValidateBasic). */
export function validated<Value>(
  codec: Message<Value>,
  check: (message: Value, at: Addressing) => void,
  made: Handler,
): Handler {
  return { ...made, validate: (value, at) => check(decoded(codec, value), at) }
}

function decoded<Value>(codec: Message<Value>, value: Uint8Array): Value {
  try {
    return codec.decode(value)
  } catch (error) {
    throw refusalOf(error) ?? error
  }
}
