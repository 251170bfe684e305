/** Codecs that write the results of Ethereum JSON-RPC methods. */
import type { Codec, Schema } from '../../codec/codec.ts'
import { DecodeError } from '../../codec/decodeError.ts'
import { plainOf, type Plain } from '../../codec/goJsonWrite.ts'
import { hexOf, quantityOf } from '../../codec/hex.ts'
import { written } from '../result.ts'

/** Returns the codec of a result that is plain JSON data; `schema` documents it. */
export function shaped(schema: Schema): Codec<Plain> {
  return { schema, decode: (wire) => plainOf(wire), encode: (value) => value }
}

const quantitySchema: Schema = { type: 'string', pattern: '^0x(0|[1-9a-f][0-9a-f]*)$' }
const dataSchema: Schema = { type: 'string', pattern: '^0x([0-9a-f]{2})*$' }

/** Returns a codec that only writes: results are never read. */
function leaving<Value>(schema: Schema, encode: (value: Value) => Plain): Codec<Value> {
  return {
    schema,
    encode,
    decode: (wire, path) => {
      throw new DecodeError({
        path,
        expected: 'nothing: results are not read',
        received: wire.raw,
        text: 'unreadable',
      })
    },
  }
}

export const quantityResult: Codec<bigint> = leaving<bigint>(quantitySchema, quantityOf)
export const bytesResult: Codec<Uint8Array> = leaving(dataSchema, hexOf)
export const boolResult: Codec<boolean> = leaving({ type: 'boolean' }, (value) => value)
export const textResult: Codec<string> = leaving({ type: 'string' }, (value) => value)
export const numberResult: Codec<number> = leaving({ type: 'number' }, (value) => value)
export const nullResult: Codec<undefined> = leaving({ type: 'null' }, () => null)
export const addressesResult: Codec<readonly Uint8Array[]> = leaving({ type: 'array', items: dataSchema }, (value) =>
  value.map(hexOf),
)

/** Returns the codec of a value or null. */
export function orNull<Value>(codec: Codec<Value>): Codec<Value | undefined> {
  return leaving({ anyOf: [codec.schema, { type: 'null' }] }, (value) =>
    value === undefined ? null : codec.encode(value),
  )
}

const nullable = (title: string): Schema => ({ anyOf: [{ type: 'object', title }, { type: 'null' }] })

export const blockResult = shaped(nullable('Block'))
export const headerResult = shaped(nullable('Header'))
export const transactionResult = shaped(nullable('Transaction'))
export const receiptResult = shaped(nullable('Receipt'))
export const receiptsResult = shaped({ type: 'array', items: { type: 'object', title: 'Receipt' } })
const logsSchema: Schema = {
  anyOf: [{ type: 'array', items: { type: 'object', title: 'Log' } }, { type: 'null' }],
}
export const logsResult = shaped(logsSchema)
export const writtenLogs = written(logsSchema)
export const objectResult = shaped({ type: 'object' })
export const anyResult = shaped({})
