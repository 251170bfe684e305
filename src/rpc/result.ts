/** Codecs of results for all interfaces; results are written, never read. */
import type { Codec, Schema } from '../codec/codec.ts'
import { DecodeError } from '../codec/decodeError.ts'
import { plainOf, type Plain } from '../codec/goJsonWrite.ts'

/** Returns the codec of a result that is plain JSON data or JSON text; `schema` documents it. */
export function shaped(schema: Schema): Codec<Plain | JsonText> {
  // `answerOf` handles JSON text before it writes a value.
  return { schema, decode: (wire) => plainOf(wire), encode: (value) => value as Plain }
}

/** A result that is JSON text already and is not encoded again. */
export class JsonText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Returns the codec of a result that is always JSON text. */
export function written(schema: Schema): Codec<JsonText> {
  return {
    schema,
    // `answerOf` handles this class before it writes a value.
    encode: (value) => value as unknown as Plain,
    decode: (wire, path) => {
      const received = wire.raw.slice(0, 80)
      throw new DecodeError({ path, expected: 'nothing', received, text: 'results are not read' })
    },
  }
}
