/** How methods of both interfaces write what they return; results are not read back. */
import type { Codec, Schema } from '../codec/codec.ts'
import { DecodeError } from '../codec/decodeError.ts'
import { plainOf, type Plain } from '../codec/goJsonWrite.ts'

/** Returns the codec of an answer that is in its JSON form or is its text; `schema` documents it. */
export function shaped(schema: Schema): Codec<Plain | JsonText> {
  // `answerOf` looks for texts before it writes anything.
  return { schema, decode: (wire) => plainOf(wire), encode: (value) => value as Plain }
}

/** A result that is JSON text already: what is encoded once is not encoded again. */
export class JsonText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Returns the codec of an answer that is JSON text already. */
export function written(schema: Schema): Codec<JsonText> {
  return {
    schema,
    // `answerOf` looks for this class before it writes anything.
    encode: (value) => value as unknown as Plain,
    decode: (wire, path) => {
      const received = wire.raw.slice(0, 80)
      throw new DecodeError({ path, expected: 'nothing', received, text: 'results are not read' })
    },
  }
}
