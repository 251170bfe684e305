/**
 * An amino sign document as EIP-712 typed data, for wallets that sign nothing else
 * (cosmos/evm ethereum/eip712). Types are made up from the document's own JSON.
 */
import type { Plain, PlainObject } from '../../../codec/goJsonWrite.ts'
import { keccak256 } from '../../../crypto/hash.ts'
import { concatBytes } from '../../../data/bytes.ts'

type Member = { readonly name: string; readonly type: string }
type Types = Map<string, readonly Member[]>

const encoder = new TextEncoder()
const members = (...pairs: readonly (readonly [string, string])[]): readonly Member[] => (
  pairs.map(([name, type]) => ({ name, type }))
)

/**
 * Returns the bytes whose Keccak hash is signed: `0x1901`, the domain's and the document's hash.
 * Undefined for a document that has no such form (it names a granter or a height, or a type is odd).
 */
export function eip712Bytes(doc: PlainObject, evmChainId: bigint): Uint8Array | undefined {
  const { msgs, ...rest } = present(doc)
  if (!Array.isArray(msgs)) return undefined
  const types: Types = new Map([
    ['EIP712Domain', members(['name', 'string'], ['version', 'string'], ['chainId', 'uint256'],
      ['verifyingContract', 'string'], ['salt', 'string'])],
    ['Fee', members(['amount', 'Coin[]'], ['gas', 'string'])],
    ['Coin', members(['denom', 'string'], ['amount', 'string'])],
  ])
  const own = msgs.map((message: Plain, index): Member => (
    { name: `msg${index}`, type: typeOfMessage(types, message) ?? '' }
  ))
  types.set('Tx', [...members(['account_number', 'string'], ['chain_id', 'string'], ['fee', 'Fee'],
    ['memo', 'string'], ['sequence', 'string']), ...own])
  const flat = Object.fromEntries(msgs.map((message: Plain, index) => [`msg${index}`, message]))
  const domain = {
    name: 'Cosmos Web3', version: '1.0.0', chainId: evmChainId, verifyingContract: 'cosmos', salt: '0',
  }
  const hashes = [hashOf(types, 'EIP712Domain', domain), hashOf(types, 'Tx', { ...rest, ...flat })]
  const [first, second] = hashes
  return first && second && concatBytes([Uint8Array.of(0x19, 0x01), first, second])
}

/** JSON has no member that is undefined. */
function present(value: PlainObject): PlainObject {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined))
}

function isObject(value: Plain | undefined): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function typeOfMessage(types: Types, message: Plain): string | undefined {
  if (!isObject(message) || typeof message['type'] !== 'string') return undefined
  const name = message['type'].split('/').at(-1) ?? ''
  return addTypes(types, { root: `Type${name}`, path: [] }, message)
}

type Place = { readonly root: string; readonly path: readonly string[] }

/** Adds the type of an object and of those inside it; returns its name. */
function addTypes(types: Types, { root, path }: Place, value: PlainObject): string {
  const names = Object.keys(present(value)).sort().reverse()
  const list: Member[] = []
  for (const name of names) {
    const whole = value[name] ?? null
    if (Array.isArray(whole) && whole.length === 0) list.push({ name, type: 'string[]' })
    const each: Plain | undefined = Array.isArray(whole) ? whole[0] : whole
    const type = isObject(each) ? addTypes(types, { root, path: [...path, name] }, each) : primitiveOf(each)
    if (type !== undefined) list.push({ name, type: Array.isArray(whole) ? `${type}[]` : type })
  }
  return addType(types, path.length === 0 ? root : `Type${path.map(titled).join('')}`, list)
}

function titled(name: string): string {
  return name.split('_').map((part) => part.slice(0, 1).toUpperCase() + part.slice(1)).join('')
}

function primitiveOf(value: Plain | undefined): string | undefined {
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return 'int64'
  return typeof value === 'string' ? 'string' : undefined
}

/** Types of one name and different members are told apart by a number at the end. */
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

function hashOf(types: Types, type: string, value: PlainObject): Uint8Array | undefined {
  const list = types.get(type) ?? []
  const given = present(value)
  if (Object.keys(given).length > list.length) return undefined
  const words = list.map(({ name, type: of }) => wordOf(types, of, given[name] ?? null))
  const head = keccak256(encoder.encode(signatureOf(types, type)))
  return joined([head, ...words])
}

function joined(words: readonly (Uint8Array | undefined)[]): Uint8Array | undefined {
  const whole = words.filter((word) => word !== undefined)
  return whole.length === words.length ? keccak256(concatBytes(whole)) : undefined
}

function wordOf(types: Types, type: string, value: Plain): Uint8Array | undefined {
  if (type.endsWith('[]')) {
    if (!Array.isArray(value)) return undefined
    return joined(value.map((each: Plain) => wordOf(types, type.slice(0, -2), each)))
  }
  if (types.has(type)) return isObject(value) ? hashOf(types, type, value) : undefined
  if (type === 'string') return typeof value === 'string' ? keccak256(encoder.encode(value)) : undefined
  if (typeof value === 'boolean') return wordOfNumber(value ? 1n : 0n)
  return typeof value === 'number' || typeof value === 'bigint' ? wordOfNumber(BigInt(value)) : undefined
}

function wordOfNumber(value: bigint): Uint8Array {
  const word = new Uint8Array(32).fill(value < 0n ? 255 : 0)
  const unsigned = BigInt.asUintN(256, value)
  for (let at = 0; at < 32; at++) word[31 - at] = Number((unsigned >> BigInt(8 * at)) & 255n)
  return word
}

/** `Tx(string memo,Fee fee)Coin(…)Fee(…)`: the type, then those that it uses by name. */
function signatureOf(types: Types, type: string): string {
  const used = new Set<string>()
  const visit = (name: string): void => {
    if (used.has(name) || !types.has(name)) return
    used.add(name)
    for (const member of types.get(name) ?? []) visit(member.type.replace(/\[\]$/, ''))
  }
  visit(type)
  used.delete(type)
  return [type, ...[...used].sort()]
    .map((name) => `${name}(${(types.get(name) ?? []).map((each) => `${each.type} ${each.name}`).join()})`)
    .join('')
}
