/**
 * Block ids, commits and votes of CometBFT (`comet-rpc.md` §1.3, §5). One list of fields drives the
 * type, the protobuf form, the JSON and the reader of each.
 */
import type { Time } from '../data/time.ts'
import * as json from './comet.ts'
import { struct } from './cometParams.ts'
import type { Plain, PlainObject } from './goJsonWrite.ts'
import * as wire from './protobuf/message.ts'
import { timestamp } from './protobuf/timestamp.ts'

/** A field: its name and form in JSON, and its form in protobuf. */
type Field<Value> = readonly [name: string, json: json.CometCodec<Value>, wire: wire.FieldType<Value>]

type Fields<Value> = { readonly [Name in keyof Value]-?: Field<Value[Name]> }

/** A message in both forms. `codec` reads and writes JSON. */
export type TwoForms<Value> = {
  readonly message: wire.Message<Value>
  readonly codec: json.CometCodec<Value>
  readonly toJson: (value: Value) => PlainObject
}

/**
 * Returns both forms of a message. Protobuf numbers the fields from 1, in the order of the list. The
 * names in `nil` follow in JSON; their value is always null, which protobuf leaves out.
 */
function twoForms<Value extends object>(fields: Fields<Value>, nil: readonly string[] = []): TwoForms<Value> {
  const entries = Object.entries(fields) as unknown as readonly [keyof Value & string, Field<unknown>][]
  const members = struct<Record<string, unknown>>(Object.fromEntries(entries.map(([, [name, codec]]) => [name, codec])))
  const messageOf = (read: Readonly<Record<string, unknown>>): Value =>
    Object.fromEntries(entries.map(([key, [name]]) => [key, read[name]])) as Value
  const toJson = (value: Value): PlainObject => {
    const written: Record<string, Plain> = {}
    for (const [key, [name, codec]] of entries) written[name] = codec.encode(value[key])
    for (const name of nil) written[name] = null
    return written
  }
  const codec = json.cometCodec<Value>({
    kind: 'struct',
    schema: members.schema,
    zero: messageOf(members.absent()),
    read: (raw, path) => messageOf(members.read(raw, path)),
    encode: toJson,
  })
  const numbered = Object.fromEntries(entries.map(([key, [, , type]], index) => [index + 1, [key, type] as const]))
  return { message: wire.message<Value>(numbered as Parameters<typeof wire.message<Value>>[0]), codec, toJson }
}

/** A moment; without one, protobuf means the Unix epoch, and JSON the year 1. */
const moment: readonly [json.CometCodec<Time>, wire.FieldType<Time>] = [json.time, wire.always(timestamp)]

/** Bytes that are null in JSON if there are none. */
const bytesOrNull: json.CometCodec<Uint8Array> = {
  ...json.base64(),
  encode: (bytes) => json.base64OrNil.encode(bytes.length === 0 ? undefined : bytes),
}

export type PartSetHeader = { readonly total: number; readonly hash: Uint8Array }
/** `hash` is empty in the parent id of block 1. */
export type BlockId = { readonly hash: Uint8Array; readonly parts: PartSetHeader }
export type CommitSig = {
  readonly flag: number
  readonly address: Uint8Array
  readonly time: Time
  readonly signature: Uint8Array
}
export type Commit = {
  readonly height: bigint
  readonly round: number
  readonly blockId: BlockId
  readonly signatures: readonly CommitSig[]
}
export type Vote = {
  readonly type: number
  readonly height: bigint
  readonly round: number
  readonly blockId: BlockId
  readonly time: Time
  readonly validatorAddress: Uint8Array
  readonly validatorIndex: number
  readonly signature: Uint8Array
}

export const partSetHeader = twoForms<PartSetHeader>({
  total: ['total', json.int32, wire.uint32],
  hash: ['hash', json.upperHex, wire.bytes],
})

export const blockId = twoForms<BlockId>({
  hash: ['hash', json.upperHex, wire.bytes],
  parts: ['parts', partSetHeader.codec, wire.always(partSetHeader.message)],
})

export const commitSig = twoForms<CommitSig>({
  flag: ['block_id_flag', json.int32, wire.int32],
  address: ['validator_address', json.upperHex, wire.bytes],
  time: ['timestamp', ...moment],
  signature: ['signature', bytesOrNull, wire.bytes],
})

export const commit = twoForms<Commit>({
  height: ['height', json.int64, wire.int64],
  round: ['round', json.int32, wire.int32],
  blockId: ['block_id', blockId.codec, wire.always(blockId.message)],
  signatures: ['signatures', json.list(commitSig.codec), wire.repeated(wire.always(commitSig.message))],
})

/** Votes have no extensions here. */
export const vote = twoForms<Vote>(
  {
    type: ['type', json.int32, wire.int32],
    height: ['height', json.int64, wire.int64],
    round: ['round', json.int32, wire.int32],
    blockId: ['block_id', blockId.codec, wire.always(blockId.message)],
    time: ['timestamp', ...moment],
    validatorAddress: ['validator_address', json.upperHex, wire.bytes],
    validatorIndex: ['validator_index', json.int32, wire.int32],
    signature: ['signature', json.base64(), wire.bytes],
  },
  ['extension', 'extension_signature'],
)
