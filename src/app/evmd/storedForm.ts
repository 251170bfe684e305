/** Messages as values of a store that are read again as they were written. */
import type { Message } from '../../codec/protobuf/message.ts'
import { remembered } from '../../data/remembered.ts'
import type { StoredForm } from '../store.ts'

/**
 * Returns how a message is stored. The value that was encoded is kept for its bytes: what one block
 * writes and the next one reads is never decoded. Values are whole messages: what a member left out
 * would be decoded as, it has.
 */
export function storedForm<Value extends object>(codec: Message<Value>): StoredForm<Value> {
  const decode = remembered((bytes: Uint8Array): Value => codec.decode(bytes))
  return {
    decode,
    encode: (value) => {
      const bytes = codec.encode(value)
      decode.keep(bytes, value)
      return bytes
    },
  }
}
