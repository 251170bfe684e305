/**
 * The legacy typed data of an amino sign document. Its types come from the definition of the first
 * message, and the fee names the payer (cosmos/evm ethereum/eip712 eip712_legacy.go).
 */
import type { Plain, PlainObject } from '../../../codec/goJsonWrite.ts'
import type { Field } from '../../../codec/schema/descriptor.ts'
import { findMessage, messageOfAminoName } from '../../../codec/schema/lookup.ts'
import { type Member, members, present, signedBytes, type Types } from './typedData.ts'
import { isJsonObject } from '../../../data/members.ts'
import { goNameOf } from '../../../codec/goText.ts'

type LegacyDocument = {
  readonly doc: PlainObject
  /** Type URLs of the messages, which must all be the same. */
  readonly typeUrls: readonly string[]
  /** The signer of the first message, in bech32. */
  readonly feePayer: string
  readonly evmChainId: bigint
  /** Whether the signer signs amino JSON. In it, the node does not open messages inside messages. */
  readonly isAmino: boolean
}

/** Returns the bytes whose Keccak hash is signed; undefined if the document cannot be converted. */
export function legacyEip712Bytes(document: LegacyDocument): Uint8Array | undefined {
  const { doc, typeUrls, feePayer, evmChainId, isAmino } = document
  const { msgs, fee } = doc
  const [typeUrl = ''] = typeUrls
  const descriptor = findMessage(typeUrl.slice(1))
  if (descriptor === undefined || !Array.isArray(msgs) || !isJsonObject(fee)) return undefined
  const [first]: readonly Plain[] = msgs
  const value = isJsonObject(first) ? first['value'] : undefined
  if (!isJsonObject(value) || typeUrls.some((each) => each !== typeUrl)) return undefined
  const types: Types = new Map([
    [
      'Tx',
      members(
        ['account_number', 'string'],
        ['chain_id', 'string'],
        ['fee', 'Fee'],
        ['memo', 'string'],
        ['msgs', 'Msg[]'],
        ['sequence', 'string'],
      ),
    ],
    ['Fee', members(['feePayer', 'string'], ['amount', 'Coin[]'], ['gas', 'string'])],
    ['Coin', members(['denom', 'string'], ['amount', 'string'])],
    ['Msg', members(['type', 'string'], ['value', 'MsgValue'])],
  ])
  types.set('MsgValue', membersOf({ types, opensAny: !isAmino }, [], { fields: descriptor.fields, value }))
  return signedBytes(types, { ...present(doc), fee: { ...fee, feePayer } }, evmChainId)
}

type Building = { readonly types: Types; readonly opensAny: boolean }

type Struct = { readonly fields: readonly Field[]; readonly value: PlainObject }

/**
 * Returns the members of a struct's type. Empty values have no type, so a document that shows one
 * cannot be converted.
 */
function membersOf(to: Building, path: readonly string[], { fields, value }: Struct): Member[] {
  return fields.flatMap((field) => {
    const {
      amino: { name },
      oneof,
    } = field
    const given = value[name]
    if (oneof !== undefined || given === undefined || given === null || isEmpty(given)) return []
    const type = typeOf(to, [...path, name], { field, given })
    return type === undefined ? [] : [{ name, type }]
  })
}

function isEmpty(given: Plain): boolean {
  if (Array.isArray(given)) return given.length === 0
  return isJsonObject(given) && Object.keys(present(given)).length === 0
}

type Given = { readonly field: Field; readonly given: Plain }

function typeOf(to: Building, path: readonly string[], { field, given }: Given): string | undefined {
  if (!field.isList) return typeOfItem(to, path, { field, given })
  const [first = null]: readonly Plain[] = Array.isArray(given) ? given : []
  const type = typeOfItem(to, path, { field, given: first })
  return type === undefined ? undefined : `${type}[]`
}

function typeOfItem(to: Building, path: readonly string[], { field, given }: Given): string | undefined {
  if (field.kind !== 'message') return scalarType(field, given)
  switch (field.typeName) {
    case 'google.protobuf.Any':
      return to.opensAny ? typeOfAny(to, path, given) : undefined
    case 'google.protobuf.Timestamp':
      return given === '' ? undefined : 'string'
    case 'google.protobuf.Duration':
      return given === '0' ? undefined : 'int64'
  }
  if (!isJsonObject(given)) return undefined
  const { fields = [] } = findMessage(field.typeName) ?? {}
  return addType(to.types, path, membersOf(to, path, { fields, value: given }))
}

function typeOfAny(to: Building, path: readonly string[], given: Plain): string | undefined {
  if (!isJsonObject(given)) return undefined
  const { type, value = null } = given
  const descriptor = typeof type === 'string' ? messageOfAminoName(type) : undefined
  if (!isJsonObject(value) || descriptor === undefined) return undefined
  const inner = [...path, 'value']
  const own = addType(to.types, inner, membersOf(to, inner, { fields: descriptor.fields, value }))
  return addType(to.types, path, [...members(['type', 'string']), { name: 'value', type: own }])
}

function addType(types: Types, path: readonly string[], list: readonly Member[]): string {
  const name = `Type${path.map(goNameOf).join('')}`
  types.set(name, list)
  return name
}

function scalarType({ kind }: Field, given: Plain): string | undefined {
  switch (kind) {
    case 'int64':
    case 'uint64':
      return given === '0' ? undefined : kind
    case 'enum':
    case 'int32':
    case 'uint32': {
      return given === 0 ? undefined : kind === 'uint32' ? kind : 'int32'
    }
    case 'bool':
      return 'bool'
    default:
      return given === '' ? undefined : 'string'
  }
}
