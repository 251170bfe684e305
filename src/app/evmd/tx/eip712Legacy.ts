/**
 * The older typed data of an amino sign document: its types come from the definition of the first
 * message, and the fee names who pays (cosmos/evm ethereum/eip712 eip712_legacy.go).
 */
import { aminoShapes, type Fields, type Kind } from '../../../codec/aminoShapes.ts'
import type { Plain, PlainObject } from '../../../codec/goJsonWrite.ts'
import { isObject, type Member, members, present, signedBytes, type Types } from './typedData.ts'

type Asked = {
  readonly doc: PlainObject
  /** Of the messages, which must be of one kind. */
  readonly typeUrls: readonly string[]
  /** Who signs the first message, in bech32. */
  readonly feePayer: string
  readonly evmChainId: bigint
}

/** Returns the bytes whose Keccak hash is signed; undefined for what has no such form. */
export function legacyEip712Bytes(
  { doc, typeUrls, feePayer, evmChainId }: Asked,
): Uint8Array | undefined {
  const { msgs, fee } = doc
  const [typeUrl = ''] = typeUrls
  const shape = aminoShapes.get(typeUrl)
  if (shape === undefined || !Array.isArray(msgs) || !isObject(fee)) return undefined
  const [first]: readonly Plain[] = msgs
  const value = isObject(first) ? first['value'] : undefined
  if (!isObject(value) || typeUrls.some((each) => each !== typeUrl)) return undefined
  const types: Types = new Map([
    ['Tx', members(['account_number', 'string'], ['chain_id', 'string'], ['fee', 'Fee'],
      ['memo', 'string'], ['msgs', 'Msg[]'], ['sequence', 'string'])],
    ['Fee', members(['feePayer', 'string'], ['amount', 'Coin[]'], ['gas', 'string'])],
    ['Coin', members(['denom', 'string'], ['amount', 'string'])],
    ['Msg', members(['type', 'string'], ['value', 'MsgValue'])],
  ])
  types.set('MsgValue', membersOf(types, [], { fields: shape.fields, value }))
  return signedBytes(types, { ...present(doc), fee: { ...fee, feePayer } }, evmChainId)
}

type Struct = { readonly fields: Fields; readonly value: PlainObject }

/** What is empty has no type, so that a document that shows it has no such form. */
function membersOf(types: Types, path: readonly string[], { fields, value }: Struct): Member[] {
  return Object.values(fields).flatMap(([name, kind]) => {
    const given = value[name]
    if (given === undefined || given === null || isEmpty(given)) return []
    const type = typeOf(types, [...path, name], { kind, given })
    return type === undefined ? [] : [{ name, type }]
  })
}

function isEmpty(given: Plain): boolean {
  if (Array.isArray(given)) return given.length === 0
  return isObject(given) && Object.keys(present(given)).length === 0
}

type Given = { readonly kind: Kind; readonly given: Plain }

function typeOf(types: Types, path: readonly string[], { kind, given }: Given): string | undefined {
  if (kind === 'coins') return typeOf(types, path, { kind: { list: coin }, given })
  if (kind === 'any') return typeOfAny(types, path, given)
  if (typeof kind === 'string') return scalarType(path.at(-1) ?? '', kind, given)
  if ('list' in kind) {
    const [first = null]: readonly Plain[] = Array.isArray(given) ? given : []
    const type = typeOf(types, path, { kind: kind.list, given: first })
    return type === undefined ? undefined : `${type}[]`
  }
  if ('oneof' in kind || !isObject(given)) return undefined
  return addType(types, path, membersOf(types, path, { fields: kind, value: given }))
}

const coin: Fields = { 1: ['denom', 'text'], 2: ['amount', 'int', '!'] }

function typeOfAny(types: Types, path: readonly string[], given: Plain): string | undefined {
  if (!isObject(given)) return undefined
  const { type, value = null } = given
  const shape = [...aminoShapes.values()].find(({ name }) => name === type)
  if (!isObject(value) || shape === undefined) return undefined
  const inner = [...path, 'value']
  const own = addType(types, inner, membersOf(types, inner, { fields: shape.fields, value }))
  return addType(types, path, [...members(['type', 'string']), { name: 'value', type: own }])
}

function addType(types: Types, path: readonly string[], list: readonly Member[]): string {
  const name = `Type${path.map(titled).join('')}`
  types.set(name, list)
  return name
}

function titled(name: string): string {
  return name.split('_').map((part) => part.slice(0, 1).toUpperCase() + part.slice(1)).join('')
}

/** Whole numbers with a sign, by name: others of 64 bits have none, and small ones are enums. */
const signed: ReadonlySet<string> = new Set(['creation_height', 'end_time', 'start_time', 'length'])

function scalarType(name: string, kind: Kind, given: Plain): string | undefined {
  switch (kind) {
    case 'whole': return given === '0' ? undefined : signed.has(name) ? 'int64' : 'uint64'
    case 'number': return given === 0 ? undefined : 'int32'
    case 'bool': return 'bool'
    case 'duration': return given === '0' ? undefined : 'int64'
    default: return given === '' ? undefined : 'string'
  }
}
