/**
 * The legacy typed data of an amino sign document. Its types come from the definition of the first
 * message, and the fee names the payer (cosmos/evm ethereum/eip712 eip712_legacy.go).
 */
import type { Plain, PlainObject } from '../../../codec/goJsonWrite.ts'
import type { Field } from '../../../codec/schema/descriptor.ts'
import { findMessage, messageOfAminoName } from '../../../codec/schema/lookup.ts'
import { isObject, type Member, members, present, signedBytes, type Types } from './typedData.ts'

type LegacyDocument = {
  readonly doc: PlainObject
  /** Type URLs of the messages, which must all be the same. */
  readonly typeUrls: readonly string[]
  /** The signer of the first message, in bech32. */
  readonly feePayer: string
  readonly evmChainId: bigint
}

/** Returns the bytes whose Keccak hash is signed; undefined if the document cannot be converted. */
export function legacyEip712Bytes({ doc, typeUrls, feePayer, evmChainId }: LegacyDocument): Uint8Array | undefined {
  const { msgs, fee } = doc
  const [typeUrl = ''] = typeUrls
  const descriptor = findMessage(typeUrl.slice(1))
  if (descriptor === undefined || !Array.isArray(msgs) || !isObject(fee)) return undefined
  const [first]: readonly Plain[] = msgs
  const value = isObject(first) ? first['value'] : undefined
  if (!isObject(value) || typeUrls.some((each) => each !== typeUrl)) return undefined
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
  types.set('MsgValue', membersOf(types, [], { fields: descriptor.fields, value }))
  return signedBytes(types, { ...present(doc), fee: { ...fee, feePayer } }, evmChainId)
}

type Struct = { readonly fields: readonly Field[]; readonly value: PlainObject }

/**
 * Returns the members of a struct's type. Empty values have no type, so a document that shows one
 * cannot be converted.
 */
function membersOf(types: Types, path: readonly string[], { fields, value }: Struct): Member[] {
  return fields.flatMap((field) => {
    const {
      amino: { name },
      oneof,
    } = field
    const given = value[name]
    if (oneof !== undefined || given === undefined || given === null || isEmpty(given)) return []
    const type = typeOf(types, [...path, name], { field, given })
    return type === undefined ? [] : [{ name, type }]
  })
}

function isEmpty(given: Plain): boolean {
  if (Array.isArray(given)) return given.length === 0
  return isObject(given) && Object.keys(present(given)).length === 0
}

type Given = { readonly field: Field; readonly given: Plain }

function typeOf(types: Types, path: readonly string[], { field, given }: Given): string | undefined {
  if (!field.isList) return typeOfItem(types, path, { field, given })
  const [first = null]: readonly Plain[] = Array.isArray(given) ? given : []
  const type = typeOfItem(types, path, { field, given: first })
  return type === undefined ? undefined : `${type}[]`
}

function typeOfItem(types: Types, path: readonly string[], { field, given }: Given): string | undefined {
  if (field.kind !== 'message') return scalarType(field, given)
  switch (field.typeName) {
    case 'google.protobuf.Any':
      return typeOfAny(types, path, given)
    case 'google.protobuf.Timestamp':
      return given === '' ? undefined : 'string'
    case 'google.protobuf.Duration':
      return given === '0' ? undefined : 'int64'
  }
  if (!isObject(given)) return undefined
  const { fields = [] } = findMessage(field.typeName) ?? {}
  return addType(types, path, membersOf(types, path, { fields, value: given }))
}

function typeOfAny(types: Types, path: readonly string[], given: Plain): string | undefined {
  if (!isObject(given)) return undefined
  const { type, value = null } = given
  const descriptor = typeof type === 'string' ? messageOfAminoName(type) : undefined
  if (!isObject(value) || descriptor === undefined) return undefined
  const inner = [...path, 'value']
  const own = addType(types, inner, membersOf(types, inner, { fields: descriptor.fields, value }))
  return addType(types, path, [...members(['type', 'string']), { name: 'value', type: own }])
}

function addType(types: Types, path: readonly string[], list: readonly Member[]): string {
  const name = `Type${path.map(titled).join('')}`
  types.set(name, list)
  return name
}

function titled(name: string): string {
  return name
    .split('_')
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join('')
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
