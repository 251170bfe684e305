/**
 * Schemas of the results of CometBFT RPC, for documentation; the shapes are in
 * `feed/cometShapes.ts`.
 */
import type { Schema } from '../../codec/codec.ts'
import { shaped } from '../result.ts'

const text: Schema = { type: 'string' }

/** Returns the codec of an object whose given members are all required. */
export function objectOf(properties: Readonly<Record<string, Schema>>): ReturnType<typeof shaped> {
  return shaped({ type: 'object', required: Object.keys(properties), properties })
}

/** Returns the schema of an object with a title. */
export function named(title: string): Schema {
  return { type: 'object', title }
}

/** Returns the schema of a value or null. */
export function nullable(schema: Schema): Schema {
  return { anyOf: [schema, { type: 'null' }] }
}

/** Returns the schema of a list. */
export function arraySchema(items: Schema): Schema {
  return { type: 'array', items }
}

/** A 64-bit number, which is written as a text. */
export const numeral: Schema = { type: 'string', pattern: '^-?[0-9]+$' }
export const hexText: Schema = { type: 'string', pattern: '^([0-9A-F]{2})*$' }
export const base64Text: Schema = { type: 'string', contentEncoding: 'base64' }
export const textSchema: Schema = text

export const emptyResult = shaped({ type: 'object', maxProperties: 0 })
export const blockResult = objectOf({ block_id: named('BlockID'), block: nullable(named('Block')) })
export const headerResult = objectOf({ header: nullable(named('Header')) })
export const txResult = shaped(named('Tx'))
export const checkResult = shaped(named('ResponseCheckTx'))
export const broadcastResult = objectOf({
  code: { type: 'integer' },
  data: hexText,
  log: text,
  codespace: text,
  hash: hexText,
})
