/** Decodes calldata, return data and revert data with known ABIs and the common signatures. */
import { addressBytes } from '../../codec/bech32.ts'
import { abiTypes, decodeAbi, encodeAbi, type AbiType, type AbiValue } from '../../app/evmd/precompiles/abi.ts'
import { bytesOfHex, hexOf } from '../../codec/hex.ts'
import { concatBytes } from '../../data/bytes.ts'
import { SimError } from '../../errors.ts'
import { tablesOf, type KnownAbis } from './abis.ts'
import { functionSignature, selectorOf, type Arg, type ContractShape, type FunctionShape } from './abiShapes.ts'
import { commonErrors, commonFunctions } from './commonAbis.ts'
import { checksumAddress } from '../../crypto/checksumAddress.ts'

export type DecodedArg = { readonly name: string; readonly type: string; readonly value: string }
export type DecodedCall = { readonly name: string; readonly signature: string; readonly args: readonly DecodedArg[] }

/**
 * Returns the function and arguments of calldata, or null if the selector is unknown. The ABI of
 * the called contract takes precedence over others that declare the same selector.
 */
export function decodeCall(data: Uint8Array, known: KnownAbis, called?: ContractShape): DecodedCall | null {
  const shape = calledFunction(data, known, called)
  return shape === undefined ? null : decodedAs(data, shape)
}

/** Returns the function that calldata calls, or undefined if the selector is unknown. */
export function calledFunction(data: Uint8Array, { functions }: KnownAbis, called?: ContractShape) {
  const selector = hexOf(data.subarray(0, 4))
  const own = called === undefined ? undefined : tablesOf(called).functions.get(selector)
  return own ?? functions.get(selector) ?? commonFunctions.get(selector)
}

/** Returns the error in revert data, or null if the error is unknown. */
export function decodeError(data: Uint8Array, { errors }: KnownAbis): DecodedCall | null {
  const selector = hexOf(data.subarray(0, 4))
  const shape = errors.get(selector) ?? commonErrors.get(selector)
  return shape === undefined ? null : decodedAs(data, shape)
}

function decodedAs(data: Uint8Array, shape: FunctionShape): DecodedCall | null {
  try {
    return { name: shape.name, signature: functionSignature(shape), args: decodeArgs(shape.inputs, data.subarray(4)) }
  } catch {
    return null
  }
}

/**
 * Returns the decoded values with their names. Throws `Reverted` if the data does not fit the
 * types.
 */
export function decodeArgs(args: readonly Arg[], data: Uint8Array): readonly DecodedArg[] {
  const types = typesOf(args)
  const values = types.length === 0 ? [] : decodeAbi(types, data)
  return args.map(({ name, type }, index) => ({ name, type, value: valueText(values[index]) }))
}

/** Throws `BadCallArgument` for a type that only libraries have, such as `Lib.Data storage`. */
function typesOf(args: readonly Arg[]): readonly AbiType[] {
  return args.flatMap(({ name, type }, index) => {
    try {
      return abiTypes(type)
    } catch {
      throw new BadCallArgument(name || String(index), 'an ABI type', type)
    }
  })
}

/**
 * Returns a value as text. Twenty bytes are formatted as an address; only `bytes20` has the same
 * length.
 */
export function valueText(value: AbiValue | undefined): string {
  if (value === undefined) return ''
  if (value instanceof Uint8Array) {
    return value.length === 20 ? checksumAddress(value) : hexOf(value)
  }
  return Array.isArray(value) ? `[${value.map(valueText).join(', ')}]` : String(value)
}

/**
 * Returns the calldata of a function from arguments as JSON values. Numbers are decimal or hex
 * text, tuples are lists. Throws `BadCallArgument`.
 */
export function encodeCall(shape: FunctionShape, given: readonly unknown[]): Uint8Array {
  if (given.length !== shape.inputs.length) {
    throw new BadCallArgument(functionSignature(shape), `${shape.inputs.length} arguments`, given.length)
  }
  const types = typesOf(shape.inputs)
  const values = types.map((type, index) => {
    const { name = '', type: spelled = '' } = shape.inputs[index] ?? {}
    return abiValueOf(type, given[index], `${name || index} (${spelled})`)
  })
  return concatBytes([bytesOfHex(selectorOf(shape)), encodeAbi(types, values)])
}

function abiValueOf(type: AbiType, given: unknown, path: string): AbiValue {
  if (type.kind === 'array' || type.kind === 'tuple') {
    const list = typeof given === 'string' ? jsonList(given, path) : given
    if (!Array.isArray(list)) throw new BadCallArgument(path, 'a list such as [1, 2]', given)
    const length = type.kind === 'array' ? type.length : type.parts.length
    if (length !== undefined && list.length !== length) throw new BadCallArgument(path, `${length} values`, given)
    if (type.kind === 'array') return list.map((one, index) => abiValueOf(type.item, one, `${path}[${index}]`))
    return type.parts.map((part, index) => abiValueOf(part, list[index], `${path}[${index}]`))
  }
  const text = typeof given === 'string' ? given.trim() : String(given)
  if (type.kind === 'string') return typeof given === 'string' ? given : text
  if (type.kind === 'bool') {
    if (text !== 'true' && text !== 'false') throw new BadCallArgument(path, 'true or false', given)
    return text === 'true'
  }
  if (typeof given === 'number' && Math.abs(given) > Number.MAX_SAFE_INTEGER) {
    throw new BadCallArgument(path, 'a text, because JSON numbers of this size are not exact', given)
  }
  if (type.kind === 'uint' || type.kind === 'int') return numberOf(type, text, path)
  return bytesOf(type, text, path)
}

/** Returns a list whose numbers are texts, because JavaScript's numbers hold 53 bits. */
function jsonList(text: string, path: string): unknown {
  const exact = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (part) => (part.startsWith('"') ? part : `"${part}"`))
  try {
    return JSON.parse(exact) as unknown
  } catch {
    throw new BadCallArgument(path, 'a list in JSON such as ["0x12", "7"]', text)
  }
}

function numberOf({ kind, bits }: Extract<AbiType, { kind: 'uint' | 'int' }>, text: string, path: string): bigint {
  if (!/^(?:-?\d+|0x[\da-fA-F]+)$/.test(text)) throw new BadCallArgument(path, 'a whole number', text)
  const number = BigInt(text)
  const fits = kind === 'int' ? BigInt.asIntN(bits, number) : BigInt.asUintN(bits, number)
  if (fits !== number) throw new BadCallArgument(path, `a number of ${kind}${bits}`, text)
  return number
}

function bytesOf(type: AbiType, text: string, path: string): Uint8Array {
  const bytes = type.kind === 'address' ? addressBytes(text) : hex(text)
  const size = type.kind === 'fixed' ? type.size : bytes?.length
  if (bytes === undefined || bytes.length !== size) {
    throw new BadCallArgument(path, type.kind === 'address' ? 'an address, 0x… or cosmos1…' : '0x-prefixed hex', text)
  }
  return bytes
}

function hex(text: string): Uint8Array | undefined {
  return /^0x(?:[\da-fA-F]{2})*$/.test(text) ? bytesOfHex(text.toLowerCase()) : undefined
}

/** Thrown for an argument that does not match its ABI type. */
export class BadCallArgument extends SimError {
  constructor(path: string, expected: string, received: unknown) {
    super('BAD_ARGUMENT', `${path}: expected ${expected}, received ${JSON.stringify(received)}`)
  }
}
