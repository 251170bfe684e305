/**
 * An amino sign document as EIP-712 typed data, for wallets that can sign only typed data
 * (cosmos/evm ethereum/eip712). The types are derived from the document's JSON.
 */
import type { Plain, PlainObject } from '../../../codec/goJsonWrite.ts'
import { type Member, members, present, signedBytes, type Types } from './typedData.ts'
import { isJsonObject } from '../../../data/members.ts'
import { goNameOf } from '../../../codec/goText.ts'

/**
 * Returns the bytes whose Keccak hash is signed: `0x1901`, the domain hash and the document hash.
 * Returns undefined if the document cannot be converted, because it names a granter or a height or
 * has an unsupported type.
 */
export function eip712Bytes(doc: PlainObject, evmChainId: bigint): Uint8Array | undefined {
  const { msgs, ...rest } = present(doc)
  if (!Array.isArray(msgs)) return undefined
  const types: Types = new Map([
    ['Fee', members(['amount', 'Coin[]'], ['gas', 'string'])],
    ['Coin', members(['denom', 'string'], ['amount', 'string'])],
  ])
  const own = msgs.map(
    (message: Plain, index): Member => ({ name: `msg${index}`, type: typeOfMessage(types, message) ?? '' }),
  )
  types.set('Tx', [
    ...members(
      ['account_number', 'string'],
      ['chain_id', 'string'],
      ['fee', 'Fee'],
      ['memo', 'string'],
      ['sequence', 'string'],
    ),
    ...own,
  ])
  const flat = Object.fromEntries(msgs.map((message: Plain, index) => [`msg${index}`, message]))
  return signedBytes(types, { ...rest, ...flat }, evmChainId)
}

function typeOfMessage(types: Types, message: Plain): string | undefined {
  if (!isJsonObject(message) || typeof message['type'] !== 'string') return undefined
  const name = message['type'].split('/').at(-1) ?? ''
  return addTypes(types, { root: `Type${name}`, path: [] }, message)
}

type MemberPath = { readonly root: string; readonly path: readonly string[] }

/** Adds the type of an object and of its nested objects. Returns the type's name. */
function addTypes(types: Types, { root, path }: MemberPath, value: PlainObject): string {
  const names = Object.keys(present(value)).sort().reverse()
  const list: Member[] = []
  for (const name of names) {
    const whole = value[name] ?? null
    if (Array.isArray(whole) && whole.length === 0) list.push({ name, type: 'string[]' })
    const each: Plain | undefined = Array.isArray(whole) ? whole[0] : whole
    const type = isJsonObject(each) ? addTypes(types, { root, path: [...path, name] }, each) : primitiveOf(each)
    if (type !== undefined) list.push({ name, type: Array.isArray(whole) ? `${type}[]` : type })
  }
  return addType(types, path.length === 0 ? root : `Type${path.map(goNameOf).join('')}`, list)
}

function primitiveOf(value: Plain | undefined): string | undefined {
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return 'int64'
  return typeof value === 'string' ? 'string' : undefined
}

/**
 * Adds a type and returns its name, which ends in a number. Types with the same name and different
 * members get different numbers.
 */
function addType(types: Types, name: string, list: readonly Member[]): string {
  for (let index = 0; ; index++) {
    const known = types.get(`${name}${index}`)
    if (known === undefined) {
      types.set(`${name}${index}`, list)
      return `${name}${index}`
    }
    if (JSON.stringify(known) === JSON.stringify(list)) return `${name}${index}`
  }
}
