/**
 * Computes the digest of typed data (EIP-712), with the error texts of geth's
 * `signer/core/apitypes` (`cosmos-evm-rpc.md` §2.6).
 */
import { memberOf, mismatch, type Codec } from '../../codec/codec.ts'
import type { Json, JsonObject } from '../../codec/goJson.ts'
import { bytesOfHex } from '../../codec/hex.ts'
import { keccak256 } from '../../crypto/hash.ts'
import {
  integerWord,
  signedTypedData,
  type TypedMember,
  type TypedObject,
  type TypedReader,
  type TypedTypes,
} from '../../crypto/typedData.ts'
import { concatBytes } from '../../data/bytes.ts'
import { serverError } from './errors.ts'

export type TypedData = {
  readonly types: TypedTypes
  readonly primaryType: string
  readonly domain: JsonObject | undefined
  readonly message: JsonObject | undefined
}

/** Codec of typed data as an object; members stay JSON until their type is known. */
export const typedData: Codec<TypedData> = {
  schema: { type: 'object', title: 'TypedData' },
  decode: (wire, path) => {
    if (wire.type !== 'object' && wire.type !== 'null') throw mismatch(wire, path, 'apitypes.TypedData')
    const member = (name: string) => (wire.type === 'object' ? memberOf(wire, name) : undefined)
    const primary = member('primaryType')
    return {
      types: typesOf(member('types')),
      primaryType: primary?.type === 'string' ? primary.value : '',
      domain: objectOf(member('domain')),
      message: objectOf(member('message')),
    }
  },
  encode: () => null,
}

const domainMembers = ['name', 'version', 'chainId', 'verifyingContract', 'salt']

/** Returns the 32 bytes to sign. Throws where geth refuses the data. */
export function typedDataDigest({ domain, message, ...rest }: TypedData): Uint8Array {
  const hasDomain = domainMembers.some((name) => domain !== undefined && memberOf(domain, name) !== undefined)
  if (!hasDomain) throw serverError('domain is undefined')
  return keccak256(signedTypedData({ ...rest, domain: fieldsOf(domain), message: fieldsOf(message) }, reader))
}

function fieldsOf(value: JsonObject | undefined): TypedObject<Json> {
  return {
    size: value?.members.length ?? 0,
    get: (name) => (value === undefined ? undefined : memberOf(value, name)),
  }
}

const reader: TypedReader<Json> = {
  objectOf: (value, type) => {
    if (value?.type !== 'object') throw mismatched(value, type)
    return fieldsOf(value)
  },
  itemsOf: (value, type) => {
    if (value?.type !== 'array') throw mismatched(value, type)
    return value.items
  },
  wordOf: (value, type) => encodePrimitive(type, value),
  surplus: (expected, given) => serverError(`there is extra data provided in the message (${expected} < ${given})`),
}

function encodePrimitive(type: string, value: Json | undefined): Uint8Array {
  if (type === 'address') return left(hexIn(value, type))
  if (type === 'bool') {
    if (value?.type !== 'bool') throw mismatched(value, type)
    return left(Uint8Array.of(value.value ? 1 : 0))
  }
  if (type === 'string') {
    if (value?.type !== 'string') throw mismatched(value, type)
    return keccak256(new TextEncoder().encode(value.value))
  }
  if (type === 'bytes') return keccak256(hexIn(value, type))
  if (/^bytes\d+$/.test(type)) return right(hexIn(value, type), Number(type.slice(5)), type)
  if (/^u?int\d*$/.test(type)) return wordOfInteger(type, value)
  throw serverError(`unrecognized type '${type}'`)
}

function wordOfInteger(type: string, value: Json | undefined): Uint8Array {
  const given = value?.type === 'string' ? value.value : value?.type === 'number' ? value.raw : ''
  if (!/^(0[xX][0-9a-fA-F]+|-?\d+)$/.test(given)) throw mismatched(value, type)
  const bits = BigInt(/\d+$/.exec(type)?.[0] ?? '256')
  const number = BigInt(given)
  const isSigned = type.startsWith('int')
  if (!isSigned && number < 0n) throw serverError(`invalid negative value for unsigned type ${type}`)
  const size = BigInt((number < 0n ? -number : number).toString(2).length)
  if (size > bits) throw serverError(`integer larger than '${type}'`)
  return integerWord(number)
}

function hexIn(value: Json | undefined, type: string): Uint8Array {
  if (value?.type !== 'string' || !/^0x([0-9a-fA-F]{2})*$/.test(value.value)) throw mismatched(value, type)
  const bytes = bytesOfHex(value.value)
  if (type === 'address' && bytes.length !== 20) throw mismatched(value, type)
  return bytes
}

function left(bytes: Uint8Array): Uint8Array {
  return concatBytes([new Uint8Array(32 - bytes.length), bytes])
}

function right(bytes: Uint8Array, size: number, type: string): Uint8Array {
  if (bytes.length !== size || size > 32) throw serverError(`unsupported size ${bytes.length} for ${type}`)
  return concatBytes([bytes, new Uint8Array(32 - size)])
}

function mismatched(value: Json | undefined, type: string): Error {
  const isNil = value === undefined || value.type === 'null'
  const shown = isNil ? '<nil>' : value.type === 'string' ? value.value : value.raw
  return serverError(`provided data '${shown}' doesn't match type '${type}'`)
}

function typesOf(wire: Json | undefined): TypedData['types'] {
  if (wire?.type !== 'object') return new Map()
  return new Map(wire.members.map(([name, members]) => [name, typedMembers(members)]))
}

function typedMembers(wire: Json): readonly TypedMember[] {
  if (wire.type !== 'array') return []
  return wire.items.map((item) => ({ name: textIn(item, 'name'), type: textIn(item, 'type') }))
}

function textIn(wire: Json, name: string): string {
  const found = wire.type === 'object' ? memberOf(wire, name) : undefined
  return found?.type === 'string' ? found.value : ''
}

function objectOf(wire: Json | undefined): JsonObject | undefined {
  return wire?.type === 'object' ? wire : undefined
}
