/**
 * Whole numbers in development controls: a JSON number, a decimal text or `0x` hex, depending on
 * the client library. The error for any other value names the unit (`peers.md` §2.5).
 */
import { preview, type Codec } from '../../codec/codec.ts'
import { DecodeError } from '../../codec/decodeError.ts'
import type { Json } from '../../codec/goJson.ts'
import { quantityOf } from '../../codec/hex.ts'

/** Returns the codec of a whole number ≥ 0 in a unit, for example `seconds`. */
export function whole(unit: string): Codec<bigint> {
  return {
    schema: { anyOf: [{ type: 'integer' }, { type: 'string' }], title: unit },
    decode: (wire, path) => {
      const value = integerOf(wire)
      if (value !== undefined && value < 1n << 256n) return value
      const expected = `a whole number of ${unit} (JSON number, decimal or 0x text)`
      const text = `expected ${expected}, received ${preview(wire)}`
      throw new DecodeError({ path, expected, received: preview(wire), text })
    },
    encode: quantityOf,
  }
}

export const seconds: Codec<bigint> = whole('seconds')
export const milliseconds: Codec<bigint> = whole('milliseconds')
export const wei: Codec<bigint> = whole('wei')
export const blocks: Codec<bigint> = whole('blocks')

/** Returns the value of a number or of a decimal or hex text; undefined for anything else. */
export function integerOf(wire: Json): bigint | undefined {
  const given = wire.type === 'string' ? wire.value : wire.type === 'number' ? wire.raw : ''
  return /^(\d+|0[xX][0-9a-fA-F]+)$/.test(given) ? BigInt(given) : undefined
}
