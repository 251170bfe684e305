/** Builds and hashes typed data for signing (EIP-712), in the domain of Cosmos EVM. */
import type { Plain, PlainObject } from '../../../codec/goJsonWrite.ts'
import { keccak256 } from '../../../crypto/hash.ts'
import { concatBytes } from '../../../data/bytes.ts'

export type Member = { readonly name: string; readonly type: string }
export type Types = Map<string, readonly Member[]>

const encoder = new TextEncoder()

/** Returns members from pairs of name and type. */
export const members = (...pairs: readonly (readonly [string, string])[]): readonly Member[] =>
  pairs.map(([name, type]) => ({ name, type }))

const domainMembers = members(
  ['name', 'string'],
  ['version', 'string'],
  ['chainId', 'uint256'],
  ['verifyingContract', 'string'],
  ['salt', 'string'],
)

/**
 * Returns the bytes whose Keccak hash is signed: `0x1901`, the domain hash, and the hash of a
 * document of type `Tx`. Returns undefined if the document does not fit its types.
 */
export function signedBytes(types: Types, doc: PlainObject, evmChainId: bigint): Uint8Array | undefined {
  const all: Types = new Map([['EIP712Domain', domainMembers], ...types])
  const domain = {
    name: 'Cosmos Web3',
    version: '1.0.0',
    chainId: evmChainId,
    verifyingContract: 'cosmos',
    salt: '0',
  }
  const [first, second] = [hashOf(all, 'EIP712Domain', domain), hashOf(all, 'Tx', doc)]
  return first && second && concatBytes([Uint8Array.of(0x19, 0x01), first, second])
}

/** Returns the object without undefined members, which JSON does not have. */
export function present(value: PlainObject): PlainObject {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined))
}

/** Returns whether a JSON value is an object. */
export function isObject(value: Plain | undefined): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
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
  if (type === 'string') {
    return typeof value === 'string' ? keccak256(encoder.encode(value)) : undefined
  }
  if (typeof value === 'boolean') return wordOfNumber(value ? 1n : 0n)
  if (typeof value === 'string' && /^-?\d{1,78}$/.test(value)) return wordOfNumber(BigInt(value))
  return typeof value === 'number' || typeof value === 'bigint' ? wordOfNumber(BigInt(value)) : undefined
}

function wordOfNumber(value: bigint): Uint8Array {
  const word = new Uint8Array(32).fill(value < 0n ? 255 : 0)
  const unsigned = BigInt.asUintN(256, value)
  for (let at = 0; at < 32; at++) word[31 - at] = Number((unsigned >> BigInt(8 * at)) & 255n)
  return word
}

/**
 * Returns a type's signature, followed by the types it uses, by name: `Tx(string memo,Fee
 * fee)Coin(…)Fee(…)`.
 */
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
