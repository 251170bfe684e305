/** Solidity's contract ABI: parses types, and encodes and decodes values as 32-byte words. */
import { maxInt64 } from '../../../codec/goIntegers.ts'
import { concatBytes } from '../../../data/bytes.ts'
import { Reverted } from './reverted.ts'
import { bigOf, wordOf } from '../../../data/bigEndian.ts'

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
 * Returns the values in calldata. Throws `Reverted` with go-ethereum's text if they are invalid, and checks in its order
 * (accounts/abi/unpack.go): each list, tuple and text is read in the bytes from its beginning on. Like go-ethereum,
 * ignores the bytes above an address's 20 bytes.
 */
export function decodeAbi(types: readonly AbiType[], data: Uint8Array): readonly AbiValue[] {
  if (types.length > 0 && data.length === 0) {
    throw new Reverted('abi: attempting to unmarshal an empty string while arguments are expected')
  }
  return decodeParts(types, { data, content: { left: contentMost } })
}

/** The bytes in which a list, tuple or text is read, and how much content may still be read. */
type Source = { readonly data: Uint8Array; readonly content: { left: number } }

/**
 * Most bytes of texts in one call. Texts that overlap can have many more than the calldata, which
 * would exhaust the memory of the process; go-ethereum has no limit.
 */
const contentMost = 16 * 1024 * 1024

function decodeParts(types: readonly AbiType[], source: Source): readonly AbiValue[] {
  let at = 0
  return types.map((type) => {
    const value = decodeValue(type, source, at)
    at += headSize(type)
    return value
  })
}

function headSize(type: AbiType): number {
  return isDynamic(type) ? 32 : staticSize(type)
}

function staticSize(type: AbiType): number {
  if (type.kind === 'array') return (type.length ?? 0) * staticSize(type.item)
  return type.kind === 'tuple' ? type.parts.reduce((sum, part) => sum + staticSize(part), 0) : 32
}

/** Returns the value whose head is at `at`: the value itself, or where it begins. */
function decodeValue(type: AbiType, source: Source, at: number): AbiValue {
  const { data } = source
  const word = wordAt(data, at)
  const from = (begin: number): Source => ({ ...source, data: data.subarray(begin) })
  switch (type.kind) {
    case 'tuple':
      return decodeParts(type.parts, from(isDynamic(type) ? tupleBegin(word, data) : at))
    case 'array': {
      if (type.length !== undefined) {
        return decodeItems(type.item, from(isDynamic(type) ? arrayBegin(word, data) : at), type.length)
      }
      const { begin, length } = sizedAt(word, data)
      return decodeItems(type.item, from(begin), length)
    }
    case 'string':
      return new TextDecoder().decode(contentAt(word, source))
    case 'bytes':
      return contentAt(word, source).slice()
    case 'address':
      return word.slice(12)
    case 'fixed':
      return word.slice(0, type.size)
    case 'bool':
      return boolOf(word)
    default:
      return numberOf(type, word)
  }
}

function decodeItems(item: AbiType, source: Source, length: number): readonly AbiValue[] {
  const { data } = source
  // go-ethereum names the two numbers the wrong way round.
  if (32 * length > data.length) {
    const text = 'abi: cannot marshal into go array: offset'
    throw new Reverted(`${text} ${data.length} would go over slice boundary (len=${32 * length})`)
  }
  const size = headSize(item)
  return Array.from({ length }, (_, index) => decodeValue(item, source, index * size))
}

function boolOf(word: Uint8Array): boolean {
  const number = bigOf(word)
  if (number > 1n) throw new Reverted('abi: improperly encoded boolean value')
  return number === 1n
}

export type AbiInteger = Extract<AbiType, { kind: 'uint' | 'int' }>

/** Returns whether an integer is a value of a type such as `uint8`. */
export function fitsInteger({ kind, bits }: AbiInteger, number: bigint): boolean {
  return number === (kind === 'int' ? BigInt.asIntN(bits, number) : BigInt.asUintN(bits, number))
}

function numberOf(type: AbiInteger, word: Uint8Array): bigint {
  const raw = bigOf(word)
  const number = type.kind === 'int' ? BigInt.asIntN(256, raw) : raw
  if (!fitsInteger(type, number)) throw new Reverted(`abi: improperly encoded ${type.kind}${type.bits} value`)
  return number
}

function wordAt(data: Uint8Array, at: number): Uint8Array {
  if (at + 32 > data.length) throw tooShort(data, BigInt(at + 32))
  return data.subarray(at, at + 32)
}

function tupleBegin(word: Uint8Array, data: Uint8Array): number {
  const begin = bigOf(word)
  if (begin > BigInt(data.length)) throw beyondEnd(data, begin)
  return Number(begin)
}

function arrayBegin(word: Uint8Array, data: Uint8Array): number {
  const begin = BigInt.asUintN(64, bigOf(word))
  if (begin <= BigInt(data.length)) return Number(begin)
  const text = `offset: ${begin}, len(output): ${data.length}`
  throw new Reverted(`abi: toGoType offset greater than output length: ${text}`)
}

type Sized = { readonly begin: number; readonly length: number }

/** Returns where the content of a list or text begins, after its length, and the length, which may be of bytes or items. */
function sizedAt(word: Uint8Array, data: Uint8Array): Sized {
  const begin = bigOf(word) + 32n
  if (begin > BigInt(data.length)) throw beyondEnd(data, begin)
  const length = bigOf(data.subarray(Number(begin) - 32, Number(begin)))
  const end = begin + length
  if (end > maxInt64) throw new Reverted(`abi: length larger than int64: ${end}`)
  if (end > BigInt(data.length)) throw tooShort(data, end)
  return { begin: Number(begin), length: Number(length) }
}

function contentAt(word: Uint8Array, { data, content }: Source): Uint8Array {
  const { begin, length } = sizedAt(word, data)
  content.left -= length
  if (content.left < 0) throw new Reverted(`abi: the texts of a call have more than ${contentMost} bytes`)
  return data.subarray(begin, begin + length)
}

function tooShort(data: Uint8Array, end: bigint): Reverted {
  return new Reverted(`abi: cannot marshal in to go type: length insufficient ${data.length} require ${end}`)
}

function beyondEnd(data: Uint8Array, begin: bigint): Reverted {
  const text = 'abi: cannot marshal in to go slice: offset'
  return new Reverted(`${text} ${begin} would go over slice boundary (len=${data.length})`)
}
