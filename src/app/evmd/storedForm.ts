/** Store values that are protobuf messages, cached in decoded form. */
import type { Message } from '../../codec/protobuf/message.ts'
import { remembered } from '../../data/remembered.ts'
import type { StoredForm } from '../store.ts'

/**
 * Returns the stored form of a message. The encoded value is cached under its bytes, so a value
 * written in one block is not decoded in the next. Values must be complete: every member must be
 * present as decoding would return it.
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
