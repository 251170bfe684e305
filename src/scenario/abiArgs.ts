/** ABI encoding of contract arguments from scenario files. */
import {
  abiTypes,
  encodeAbi,
  fitsInteger,
  type AbiInteger,
  type AbiType,
  type AbiValue,
} from '../app/evmd/precompiles/abi.ts'
import { bytesOfHex } from '../codec/hex.ts'
import { concatBytes } from '../data/bytes.ts'
import { isExpected, SimError } from '../errors.ts'
import type { PlannedData } from '../plan/action.ts'
import { amount } from './units.ts'

/**
 * Functions that resolve texts: an account, and an amount with its unit. `amountOf` returns
 * undefined if the text is not an amount.
 */
export type Reading = {
  readonly addressOf: (who: string) => Uint8Array
  readonly amountOf: (text: string) => bigint | undefined
}

/**
 * Returns the data of a planned transaction; `addressOf` resolves account names. Throws
 * `BadArgument` if an argument does not fit its type.
 */
export function dataOf({ head, types, args }: PlannedData, addressOf: Reading['addressOf']): Uint8Array {
  const encoded = encodedArgs(types, args, { addressOf, amountOf: amount })
  return encoded.length === 0 ? head : concatBytes([head, encoded])
}

/**
 * Returns the ABI encoding of arguments; `types` is the type list of a signature. Throws
 * `BadArgument` if an argument does not fit its type.
 */
export function encodedArgs(types: string, args: readonly unknown[], reading: Reading): Uint8Array {
  const wanted = typesOf(types)
  if (wanted.length !== args.length)
    throw new BadAbiArgument(`expected ${wanted.length} arguments (${types}), received ${args.length}`)
  const values = wanted.map((type, index) => abiValue(type, args[index], reading))
  try {
    return wanted.length === 0 ? new Uint8Array(0) : encodeAbi(wanted, values)
  } catch (error) {
    throw badArgumentOf(error)
  }
}

/**
 * Converts the ABI encoder's `RangeError` and expected errors to `BadArgument`; any other error is
 * a bug and stays.
 */
function badArgumentOf(error: unknown): unknown {
  return error instanceof RangeError || isExpected(error) ? new BadAbiArgument(error.message) : error
}

function typesOf(text: string): readonly AbiType[] {
  try {
    return abiTypes(text.replace(/\b(uint|int)(?!\d)/g, '$1256'))
  } catch (error) {
    throw badArgumentOf(error)
  }
}

function abiValue(type: AbiType, value: unknown, reading: Reading): AbiValue {
  switch (type.kind) {
    case 'address':
      return typeof value === 'string' ? reading.addressOf(value) : refuse('an account', value)
    case 'bool':
      return typeof value === 'boolean' ? value : refuse('true or false', value)
    case 'string':
      return typeof value === 'string' ? value : refuse('a text', value)
    case 'uint':
    case 'int':
      return fittingInteger(type, value, reading)
    case 'bytes':
      return bytesIn(value) ?? refuse('0x hex', value)
    case 'fixed': {
      const bytes = bytesIn(value)
      return bytes?.length === type.size ? bytes : refuse(`${type.size} bytes of 0x hex`, value)
    }
    case 'array': {
      const { item, length } = type
      return listOf(length, value).map((one) => abiValue(item, one, reading))
    }
    case 'tuple': {
      const list = listOf(type.parts.length, value)
      return type.parts.map((part, index) => abiValue(part, list[index], reading))
    }
  }
}

function bytesIn(value: unknown): Uint8Array | undefined {
  return typeof value === 'string' && /^0x([0-9a-fA-F]{2})*$/.test(value) ? bytesOfHex(value) : undefined
}

/** Returns a list of `length` values; of any length if that is undefined. */
function listOf(length: number | undefined, value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) return refuse('a list', value)
  return length === undefined || value.length === length ? value : refuse(`${length} values`, value)
}

function fittingInteger(type: AbiInteger, value: unknown, reading: Reading): bigint {
  const integer = integerOf(value, reading)
  return fitsInteger(type, integer) ? integer : refuse(`a value of ${type.kind}${type.bits}`, value)
}

/** Returns the integer of a number, a decimal or hex text, or an amount with its unit. */
function integerOf(value: unknown, { amountOf }: Reading): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  if (typeof value !== 'string') return refuse('an integer', value)
  if (/^(-?\d+|0x[0-9a-fA-F]+)$/.test(value)) return BigInt(value)
  return amountOf(value) ?? refuse("an integer or an amount like '1.5 evm'", value)
}

function refuse(expected: string, value: unknown): never {
  throw new BadAbiArgument(`expected ${expected}, received ${JSON.stringify(value)}`)
}

/** An argument does not fit its type, or the number of arguments is wrong. */
export class BadAbiArgument extends SimError {
  constructor(text: string) {
    super('BAD_ARGUMENT', text)
  }
}
