/** Solidity's contract ABI: parses types, and encodes and decodes values as 32-byte words. */
import { concatBytes } from '../../../data/bytes.ts'
import { bigOf, wordOf } from './words.ts'
import { Reverted } from './reverted.ts'

/**
 * A Solidity value. Tuples and arrays are lists; addresses, bytes and fixed bytes are byte arrays;
 * numbers are bigint.
 */
export type AbiValue = bigint | boolean | string | Uint8Array | readonly AbiValue[]

export type AbiType =
  | { readonly kind: 'address' | 'bool' | 'string' | 'bytes' }
  | { readonly kind: 'uint' | 'int'; readonly bits: number }
  | { readonly kind: 'fixed'; readonly size: number }
  | { readonly kind: 'tuple'; readonly parts: readonly AbiType[] }
  /** `length` is that of a fixed array such as `uint256[2]`; absent if the data holds the length. */
  | { readonly kind: 'array'; readonly item: AbiType; readonly length?: number }

/** Returns the types in a list such as `address,(string,uint256)[]`; none for ''. */
export function abiTypes(list: string): readonly AbiType[] {
  return splitTop(list).map(abiType)
}

function abiType(spelled: string): AbiType {
  const [, item, length = ''] = /^(.+)\[([1-9]\d*)?\]$/.exec(spelled) ?? []
  if (item !== undefined) {
    return { kind: 'array', item: abiType(item), ...(length === '' ? {} : { length: Number(length) }) }
  }
  if (spelled.startsWith('(')) return { kind: 'tuple', parts: abiTypes(spelled.slice(1, -1)) }
  const [, name = '', size = ''] = /^([a-z]+)(\d*)$/.exec(spelled) ?? []
  if (name === 'uint' || name === 'int') return { kind: name, bits: Number(size) }
  if (name === 'bytes' && size !== '') return { kind: 'fixed', size: Number(size) }
  // An address and a selector, in the left bytes of a word.
  if (spelled === 'function') return { kind: 'fixed', size: 24 }
  if (name === 'address' || name === 'bool' || name === 'string' || name === 'bytes') {
    return { kind: name }
  }
  throw new RangeError(`${spelled} is no ABI type`)
}

/** Splits a list at the commas outside parentheses. */
function splitTop(list: string): readonly string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < list.length; at++) {
    const letter = list[at]
    if (letter === '(') depth += 1
    else if (letter === ')') depth -= 1
    else if (letter === ',' && depth === 0) {
      parts.push(list.slice(start, at))
      start = at + 1
    }
  }
  return list === '' ? [] : [...parts, list.slice(start)]
}

/** Returns the ABI encoding of a list of arguments. */
export function encodeAbi(types: readonly AbiType[], values: readonly AbiValue[]): Uint8Array {
  const parts = types.map((type, index) => {
    const value = values[index]
    if (value === undefined) throw new RangeError('too few values for the ABI types')
    return { isDynamic: isDynamic(type), bytes: encodeValue(type, value) }
  })
  let at = parts.reduce((sum, { isDynamic, bytes }) => sum + (isDynamic ? 32 : bytes.length), 0)
  const heads: Uint8Array[] = []
  for (const { isDynamic, bytes } of parts) {
    heads.push(isDynamic ? wordOf(BigInt(at)) : bytes)
    if (isDynamic) at += bytes.length
  }
  const tails = parts.filter(({ isDynamic }) => isDynamic).map(({ bytes }) => bytes)
  return concatBytes([...heads, ...tails])
}

function isDynamic(type: AbiType): boolean {
  if (type.kind === 'tuple') return type.parts.some(isDynamic)
  if (type.kind === 'array') return type.length === undefined || isDynamic(type.item)
  return type.kind === 'string' || type.kind === 'bytes'
}

const encoder = new TextEncoder()

function encodeValue(type: AbiType, value: AbiValue): Uint8Array {
  if (typeof value === 'string') return withLength(encoder.encode(value))
  if (typeof value === 'bigint') return wordOf(value)
  if (typeof value === 'boolean') return wordOf(value ? 1n : 0n)
  if (value instanceof Uint8Array) {
    if (type.kind === 'bytes') return withLength(value)
    return type.kind === 'address' ? padded(value, 12) : padded(value, 0)
  }
  if (type.kind === 'tuple') return encodeAbi(type.parts, value)
  if (type.kind !== 'array') throw new RangeError(`a list is no ${type.kind}`)
  const items = encodeAbi(
    value.map(() => type.item),
    value,
  )
  return type.length === undefined ? concatBytes([wordOf(BigInt(value.length)), items]) : items
}

function withLength(bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(Math.ceil(bytes.length / 32) * 32)
  whole.set(bytes)
  return concatBytes([wordOf(BigInt(bytes.length)), whole])
}

function padded(bytes: Uint8Array, at: number): Uint8Array {
  const word = new Uint8Array(32)
  word.set(bytes, at)
  return word
}

/**
 * Returns the values in calldata. Throws `Reverted` with go-ethereum's text if they are invalid.
 * Like go-ethereum, ignores the bytes above an address's 20 bytes.
 */
export function decodeAbi(types: readonly AbiType[], data: Uint8Array): readonly AbiValue[] {
  if (types.length > 0 && data.length === 0) {
    throw new Reverted('abi: attempting to unmarshal an empty string while arguments are expected')
  }
  return decodeParts(types, data, 0)
}

function decodeParts(types: readonly AbiType[], data: Uint8Array, start: number): readonly AbiValue[] {
  let at = start
  return types.map((type) => {
    const place = isDynamic(type) ? start + offsetAt(data, at) : at
    at += isDynamic(type) ? 32 : staticSize(type)
    return decodeValue(type, data, place)
  })
}

function staticSize(type: AbiType): number {
  if (type.kind === 'array') return (type.length ?? 0) * staticSize(type.item)
  return type.kind === 'tuple' ? type.parts.reduce((sum, part) => sum + staticSize(part), 0) : 32
}

function decodeValue(type: AbiType, data: Uint8Array, at: number): AbiValue {
  switch (type.kind) {
    case 'tuple':
      return decodeParts(type.parts, data, at)
    case 'array':
      return type.length === undefined
        ? decodeItems(type.item, data, { start: at + 32, length: offsetAt(data, at) })
        : decodeItems(type.item, data, { start: at, length: type.length })
    case 'string':
      return new TextDecoder().decode(sizedAt(data, at))
    case 'bytes':
      return sizedAt(data, at).slice()
    case 'address':
      return wordAt(data, at).slice(12)
    case 'fixed':
      return wordAt(data, at).slice(0, type.size)
    case 'bool':
      return boolAt(data, at)
    default:
      return numberAt(type, data, at)
  }
}

type Items = { readonly start: number; readonly length: number }

function decodeItems(item: AbiType, data: Uint8Array, { start, length }: Items): readonly AbiValue[] {
  const size = isDynamic(item) ? 32 : staticSize(item)
  const end = start + length * size
  if (end > data.length) {
    const text = 'abi: cannot marshal into go array: offset'
    throw new Reverted(`${text} ${end} would go over slice boundary (len=${data.length})`)
  }
  return decodeParts(
    Array.from({ length }, () => item),
    data,
    start,
  )
}

function boolAt(data: Uint8Array, at: number): boolean {
  const number = bigOf(wordAt(data, at))
  if (number > 1n) throw new Reverted('abi: improperly encoded boolean value')
  return number === 1n
}

type Integer = Extract<AbiType, { kind: 'uint' | 'int' }>

function numberAt({ kind, bits }: Integer, data: Uint8Array, at: number): bigint {
  const raw = bigOf(wordAt(data, at))
  const number = kind === 'int' ? BigInt.asIntN(256, raw) : raw
  const fits = kind === 'int' ? BigInt.asIntN(bits, number) : BigInt.asUintN(bits, number)
  if (fits !== number) throw new Reverted(`abi: improperly encoded ${kind}${bits} value`)
  return number
}

function wordAt(data: Uint8Array, at: number): Uint8Array {
  if (at + 32 > data.length) {
    const text = 'abi: cannot marshal in to go type: length insufficient'
    throw new Reverted(`${text} ${data.length} require ${at + 32}`)
  }
  return data.subarray(at, at + 32)
}

function offsetAt(data: Uint8Array, at: number): number {
  const offset = bigOf(wordAt(data, at))
  if (offset > BigInt(data.length)) {
    const text = 'abi: cannot marshal in to go slice: offset'
    throw new Reverted(`${text} ${offset + 32n} would go over slice boundary (len=${data.length})`)
  }
  return Number(offset)
}

function sizedAt(data: Uint8Array, at: number): Uint8Array {
  const length = bigOf(wordAt(data, at))
  const end = BigInt(at + 32) + length
  if (end > BigInt(data.length)) {
    const text = 'abi: cannot marshal in to go type: length insufficient'
    throw new Reverted(`${text} ${data.length} require ${end}`)
  }
  return data.subarray(at + 32, Number(end))
}
